import type { LandingTexts } from "./texts"

const cards = [
  { key: "drivers", count: "12", tone: "fill-surface stroke-line", ink: "fill-ink" },
  { key: "valid", count: "11", tone: "fill-surface stroke-line", ink: "fill-ink" },
  { key: "withheld", count: "1", tone: "fill-withheld stroke-withheld", ink: "fill-on-withheld" },
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
      <text x="172" y="48" className="fill-ink text-[20px] font-bold">
        {texts.dashboard}
      </text>
      {cards.map(({ key, count, tone, ink }, i) => (
        <g key={key} transform={`translate(${172 + i * 137} 68)`}>
          <rect width="125" height="82" rx="8" className={tone} />
          <text x="14" y="26" className={`${ink} text-[13px] font-semibold`}>
            {texts[key]}
          </text>
          <text x="14" y="66" className={`${ink} text-[30px] font-bold`}>
            {count}
          </text>
        </g>
      ))}
      <Warning texts={texts} />
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

function Warning({ texts }: { texts: LandingTexts["picture"] }) {
  const words = texts.heading.split(" ")
  const firstLine = Math.floor(words.length / 2)
  return (
    <g transform="translate(172 166)">
      <rect width="399" height="206" rx="10" className="fill-withheld-soft stroke-withheld" />
      <path d="M0 10A10 10 0 0 1 10 0H389A10 10 0 0 1 399 10V64H0Z" className="fill-withheld" />
      <text x="16" y="28" className="fill-on-withheld text-[15px] font-bold">
        {words.slice(0, firstLine).join(" ")}
      </text>
      <text x="16" y="48" className="fill-on-withheld text-[15px] font-bold">
        {words.slice(firstLine).join(" ")}
      </text>
      <rect x="16" y="80" width="367" height="110" rx="8" className="fill-surface stroke-line" />
      <text x="34" y="110" className="fill-ink text-[17px] font-bold">
        Marek Zawada
      </text>
      <text x="34" y="134" className="fill-ink-soft text-[14px]">
        {texts.licence}
      </text>
      <text x="34" y="156" className="fill-ink-soft text-[14px]">
        {texts.checked}
      </text>
      <text x="34" y="178" className="fill-brand text-[14px] font-semibold">
        {texts.details}
      </text>
      <rect x="268" y="93" width="99" height="26" rx="13" className="fill-withheld-soft" />
      <text
        x="317"
        y="111"
        textAnchor="middle"
        className="fill-withheld-ink text-[13px] font-semibold"
      >
        {texts.status}
      </text>
    </g>
  )
}
