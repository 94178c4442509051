import type { LandingTexts } from "./texts"

const figures = [
  { key: "drivers", count: "12", tone: "fill-surface", ink: "fill-ink" },
  { key: "valid", count: "11", tone: "fill-surface", ink: "fill-ink" },
  { key: "withheld", count: "1", tone: "fill-withheld", ink: "fill-on-withheld" },
] as const

/** A drawing of the dashboard with a withheld licence, in the colours of the page. */
export function DashboardPicture({ texts }: { texts: LandingTexts["picture"] }) {
  return (
    <svg
      role="img"
      aria-label={texts.description}
      viewBox="0 0 600 470"
      className="h-auto w-full font-sans drop-shadow-lg"
    >
      <rect x="1" y="1" width="598" height="428" rx="12" className="fill-ground stroke-line" />
      <Sidebar items={texts.menu} />
      <text x="172" y="46" className="fill-ink text-[20px] font-bold">
        {texts.dashboard}
      </text>
      <text x="172" y="78" className="fill-withheld-ink text-[17px] font-bold">
        {texts.answer}
      </text>
      {figures.map(({ key, count, tone, ink }, i) => (
        <g key={key} transform={`translate(${172 + i * 137} 94)`}>
          <rect width="125" height="46" rx="8" className={`${tone} stroke-line`} />
          <text x="12" y="28" className={`${ink} text-[12px] font-semibold`}>
            {texts[key]}
          </text>
          <text x="113" y="31" textAnchor="end" className={`${ink} text-[21px] font-bold`}>
            {count}
          </text>
        </g>
      ))}
      <rect
        x="172"
        y="158"
        width="399"
        height="110"
        rx="8"
        className="fill-surface stroke-withheld"
      />
      <path d="M172 166a8 8 0 0 1 8-8h383a8 8 0 0 1 8 8v24H172Z" className="fill-withheld" />
      <text x="186" y="179" className="fill-on-withheld text-[12px] font-bold">
        {texts.heading}
      </text>
      <Row y={190} name="Marek Zawada" detail={texts.licence} act={texts.act} />
      <text x="186" y="256" className="fill-ink-soft text-[12px]">
        {texts.reason}
      </text>
      <rect x="172" y="282" width="399" height="92" rx="8" className="fill-surface stroke-line" />
      <text x="186" y="306" className="fill-ink text-[14px] font-bold">
        {texts.attention}
      </text>
      <Row y={314} name="Aleksandra Źrebiec" detail={texts.expired} act={texts.act} />
      <g transform="translate(262 392)">
        <rect width="322" height="62" rx="10" className="fill-surface stroke-line-strong" />
        <rect x="16" y="14" width="34" height="34" rx="8" className="fill-brand" />
        <path
          d="M25 24h16v11h-9l-4 4v-4h-3z"
          className="fill-none stroke-on-brand"
          strokeWidth="2"
          strokeLinejoin="round"
        />
        <text x="64" y="28" className="fill-ink text-[13px] font-semibold">
          {texts.sms.split(", ")[0]}
        </text>
        <text x="64" y="46" className="fill-ink-soft text-[13px]">
          {texts.sms.split(", ")[1]}
        </text>
      </g>
    </svg>
  )
}

function Sidebar({ items }: { items: string[] }) {
  return (
    <g>
      <path d="M1 13A12 12 0 0 1 13 1H150V429H13A12 12 0 0 1 1 417Z" className="fill-sidebar" />
      <rect x="20" y="28" width="27" height="19" rx="4" className="fill-sidebar-ink" />
      <path
        d="m33 38 3.500 3.500 6-7.500"
        className="fill-none stroke-sidebar"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <rect x="10" y="70" width="131" height="34" rx="6" className="fill-sidebar-raised" />
      {items.map((item, i) => (
        <text
          key={item}
          x="20"
          y={92 + i * 38}
          className={`${i === 0 ? "fill-sidebar-ink font-semibold" : "fill-sidebar-ink-soft"} text-[14px]`}
        >
          {item}
        </text>
      ))}
    </g>
  )
}

type RowProps = { y: number; name: string; detail: string; act: string }

function Row({ y, name, detail, act }: RowProps) {
  return (
    <g transform={`translate(172 ${y})`}>
      <text x="14" y="24" className="fill-ink text-[15px] font-bold">
        {name}
      </text>
      <text x="14" y="43" className="fill-ink-soft text-[12px]">
        {detail}
      </text>
      <rect x="253" y="12" width="134" height="32" rx="6" className="fill-brand" />
      <text
        x="320"
        y="32"
        textAnchor="middle"
        className="fill-on-brand text-[12.5px] font-semibold"
      >
        {act}
      </text>
    </g>
  )
}
