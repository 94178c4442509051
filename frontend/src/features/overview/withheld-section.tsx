import { clsx } from "clsx"
import { OctagonX } from "lucide-react"
import { type ReactNode, useId, useRef } from "react"
import { useTranslation } from "react-i18next"
import { useNavigate } from "react-router"
import type { DriverSummaryOut } from "~/api/types.gen"
import { fullName } from "~/entities/driver/driver"
import { useProductToday } from "~/hooks/use-product-now"
import { KnownWithheld, NewlyWithheld } from "./withheld-driver"
import { queueWithheld } from "./withheld-queue"

/** Where the line above the counts leads. */
const withheldSectionId = "withheld"

/** The red section: the drivers whose latest verification is invalid, the new ones first. */
export function WithheldSection({ drivers }: { drivers: readonly DriverSummaryOut[] }) {
  const { t } = useTranslation()
  const today = useProductToday()
  const headingId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const navigate = useNavigate()
  const { fresh, known } = queueWithheld(drivers, today)
  if (fresh.length + known.length === 0) return null

  const hasBoth = fresh.length > 0 && known.length > 0
  const propsOf = (driver: DriverSummaryOut) => ({
    driver,
    today,
    onDetails: () => void navigate({ search: `?driver=${driver.id}`, hash: "details" }),
    // The card with the focus moves to the other group.
    onAcknowledged: () => heading.current?.focus(),
  })

  return (
    <section
      id={withheldSectionId}
      aria-labelledby={headingId}
      className="@container scroll-mt-18 overflow-hidden rounded-lg border-2 border-withheld bg-withheld-soft"
    >
      <h2
        id={headingId}
        ref={heading}
        tabIndex={-1}
        className="flex items-center gap-3 bg-withheld px-4 py-3 text-base tracking-wide text-on-withheld focus-visible:-outline-offset-4 focus-visible:outline-on-withheld sm:px-5"
      >
        <OctagonX aria-hidden className="size-6 shrink-0" />
        {t("dashboard.withheld.heading")}
      </h2>
      <div
        className={clsx(
          "grid gap-x-4 gap-y-5 p-3 sm:p-4",
          hasBoth && "@3xl:grid-cols-2 @3xl:items-start",
        )}
      >
        {fresh.length > 0 && (
          <Group
            title={t("dashboard.queue.new", { count: fresh.length })}
            lead={t("dashboard.queue.whatToDo")}
          >
            <ul className={clsx("grid gap-3", !hasBoth && freshColumns)}>
              {fresh.map((driver) => (
                <NewlyWithheld key={driver.id} {...propsOf(driver)} />
              ))}
            </ul>
          </Group>
        )}
        {known.length > 0 && (
          <Group title={t("dashboard.queue.known", { count: known.length })}>
            <ul className="divide-y divide-line rounded-md bg-surface">
              {known.map((driver) => (
                <KnownWithheld key={driver.id} {...propsOf(driver)} />
              ))}
            </ul>
          </Group>
        )}
      </div>
    </section>
  )
}

const freshColumns = "@2xl:grid-cols-[repeat(auto-fit,minmax(20rem,1fr))]"

type GroupProps = { title: string; lead?: string; children: ReactNode }

function Group({ title, lead, children }: GroupProps) {
  return (
    <div className="min-w-0">
      <h3 className="text-base text-withheld-ink">{title}</h3>
      {lead && <p className="mt-0.5 text-sm text-withheld-ink">{lead}</p>}
      <div className="mt-2">{children}</div>
    </div>
  )
}

/** How many names the line has; the section below has all. */
const maxNames = 3

/** The newly withheld drivers, above the counts, with a link to the red section below them. */
export function NewWithheldLine({ drivers }: { drivers: readonly DriverSummaryOut[] }) {
  const { t } = useTranslation()
  const { fresh } = queueWithheld(drivers, useProductToday())
  if (fresh.length === 0) return null
  const names = fresh.slice(0, maxNames).map(fullName).join(", ")
  const more = fresh.length - maxNames
  return (
    <a
      href={`#${withheldSectionId}`}
      data-no-print
      className="flex items-start gap-2.5 rounded-lg bg-withheld-soft px-4 py-3 text-withheld-ink hover:underline"
    >
      <OctagonX aria-hidden className="mt-0.5 size-5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        <strong>{t("dashboard.queue.new", { count: fresh.length })}</strong>{" "}
        {more > 0 ? t("dashboard.queue.andMore", { names, more }) : names}
      </span>
    </a>
  )
}
