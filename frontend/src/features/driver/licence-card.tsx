import { useTranslation } from "react-i18next"

/** Where the number is: the back of the card, with the place of the number marked. */
export function LicenceCard() {
  const { t } = useTranslation()
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-3.5 gap-y-1.5 text-sm text-ink-soft">
      <CardDrawing />
      <span className="min-w-0 flex-1 basis-36">{t("drivers.form.licenseNumber.where")}</span>
    </p>
  )
}

const bars = [2, 1, 3, 1, 1, 2, 1, 3, 2, 1, 1, 2, 3, 1, 2, 1]
const tableRows = [16, 24, 32, 40, 48]

function CardDrawing() {
  let x = 12
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 120 76"
      className="h-19 w-30 shrink-0 text-line-strong"
      fill="none"
      stroke="currentColor"
    >
      <rect
        x="0.75"
        y="0.75"
        width="118.5"
        height="74.5"
        rx="6"
        className="fill-sunken"
        strokeWidth="1.5"
      />
      <g fill="currentColor" stroke="none" className="text-ink-soft">
        {bars.map((width, index) => {
          const left = x
          x += width + 1.5
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change
          return <rect key={index} x={left} y="9" width={width} height="18" />
        })}
      </g>
      <rect
        x="9"
        y="31"
        width="50"
        height="15"
        rx="2.5"
        className="fill-caution-soft stroke-caution"
        strokeWidth="1.75"
      />
      <text
        x="34"
        y="41.4"
        textAnchor="middle"
        stroke="none"
        className="serial fill-ink text-[7.5px] font-semibold tracking-normal!"
      >
        AA123456
      </text>
      <g strokeWidth="1">
        <rect x="68" y="9" width="43" height="47" rx="1.5" />
        {tableRows.map((y) => (
          <path key={y} d={`M68 ${y}h43`} />
        ))}
        <path d="M78 9v47M94 9v47" />
        <path d="M9 54h38M9 60h28M9 66h44" strokeWidth="1.5" strokeLinecap="round" />
      </g>
    </svg>
  )
}
