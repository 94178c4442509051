import { ArrowDown, ArrowUp } from "lucide-react"
import { Fragment } from "react"
import { useTranslation } from "react-i18next"

const keys = {
  search: ["/"],
  add: ["n"],
  rows: ["up", "down"],
  ends: ["Home", "End"],
  open: ["Enter"],
  choose: ["Space", "x"],
  driver: ["j", "k", "down", "up"],
  queue: ["j", "k"],
  act: ["o"],
  driverAct: ["o"],
  help: ["?"],
} as const
export type KeyAct = keyof typeof keys
const all = Object.keys(keys) as KeyAct[]

/** What the keys do, of all screens unless `names` chooses. */
export function KeyList({ names = all }: { names?: readonly KeyAct[] }) {
  const { t } = useTranslation()
  return (
    <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2.5">
      {names.map((name) => (
        <Fragment key={name}>
          <dt className="flex gap-1.5">
            {keys[name].map((key) => (
              <kbd
                key={key}
                className="min-w-8 rounded-sm border border-line-strong bg-sunken px-2 py-0.5 text-center font-sans text-sm font-semibold"
              >
                <KeyName name={key} />
              </kbd>
            ))}
          </dt>
          <dd>{t(`drivers.keys.${name}`)}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

/** The font has no arrows. */
function KeyName({ name }: { name: string }) {
  const { t } = useTranslation()
  if (name !== "up" && name !== "down") return <span>{name}</span>
  const Arrow = name === "up" ? ArrowUp : ArrowDown
  return (
    <>
      <Arrow aria-hidden className="inline size-4" />
      <span className="sr-only">{t(`drivers.keys.${name}`)}</span>
    </>
  )
}
