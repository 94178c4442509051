import { clsx } from "clsx"
import { Check, OctagonX } from "lucide-react"
import { useId, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { useNavigate } from "react-router"
import type { DriverSummaryOut } from "~/api/types.gen"
import { AcknowledgeChosen } from "~/entities/driver/acknowledge-chosen"
import { isOpen, useMayAcknowledge } from "~/entities/driver/acknowledgement-calls"
import { fullName } from "~/entities/driver/driver"
import { useProductToday } from "~/hooks/use-product-now"
import { focusNextOpen } from "./queue-keys"
import { WithheldDriver } from "./withheld-driver"
import { queueWithheld } from "./withheld-queue"

const boxClass = "choice size-5.5 shrink-0"
const doneMark = <Check aria-hidden className="size-5.5 shrink-0 text-ink-soft" />

export type WithheldSectionProps = {
  drivers: readonly DriverSummaryOut[]
  /** The episodes that were acknowledged before, of `handledEpisodes`. */
  handled: ReadonlySet<string>
}

/**
 * The red section: the drivers whose latest verification is invalid, the new ones first. Several
 * can be chosen and acknowledged at once. It is without its colour once all are acknowledged.
 */
export function WithheldSection({ drivers, handled }: WithheldSectionProps) {
  const { t } = useTranslation()
  const today = useProductToday()
  const headingId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const navigate = useNavigate()
  const mayAcknowledge = useMayAcknowledge()
  const [chosenIds, setChosenIds] = useState<readonly string[]>([])
  const { fresh, known } = queueWithheld(drivers, today, handled)
  const all = [...fresh, ...known]
  if (all.length === 0) return null

  const isHandled = ({ episode }: DriverSummaryOut) => Boolean(episode?.acknowledgement)
  const open = all.filter(isOpen)
  const hasChoice = mayAcknowledge && all.length > 1 && open.length > 0
  const isDone = all.every(isHandled)
  const chosen = open.filter(({ id }) => chosenIds.includes(id))
  const renderChoice = ({ id, episode, ...name }: DriverSummaryOut) =>
    hasChoice &&
    episode && (
      <input
        type="checkbox"
        data-no-print
        aria-label={t("dashboard.queue.choose", { name: fullName(name) })}
        checked={chosenIds.includes(id)}
        onChange={({ target }) => {
          const others = chosenIds.filter((one) => one !== id)
          setChosenIds(target.checked ? [...others, id] : others)
        }}
        className={boxClass}
      />
    )
  const newCount = fresh.filter((driver) => !isHandled(driver)).length
  const groups = [
    { title: t("dashboard.queue.new", { count: newCount }), rows: fresh, isNew: true },
    { title: t("dashboard.queue.known", { count: known.length }), rows: known, isNew: false },
  ].filter(({ rows }) => rows.length > 0)

  return (
    <section aria-labelledby={headingId} className="@container -mr-(--beneath)">
      <div
        className={clsx(
          "mr-(--beneath) overflow-hidden rounded-lg border-2 bg-surface",
          isDone ? "border-line" : "border-withheld",
        )}
      >
        <div
          className={clsx(
            "flex flex-wrap items-center gap-x-3 px-4 py-px max-sm:pt-0.5",
            !isDone && "bg-withheld text-on-withheld print:bg-transparent print:text-ink",
          )}
        >
          {hasChoice && (
            <input
              type="checkbox"
              data-no-print
              aria-label={t("dashboard.queue.chooseAll", { count: open.length })}
              title={t("dashboard.queue.chooseAll", { count: open.length })}
              checked={chosen.length === open.length}
              onChange={({ target }) =>
                setChosenIds(target.checked ? open.map(({ id }) => id) : [])
              }
              className={boxClass}
            />
          )}
          <h2
            id={headingId}
            ref={heading}
            tabIndex={-1}
            className="flex min-w-0 flex-1 basis-48 items-center gap-2.5 text-base tracking-wide focus-visible:outline-current max-sm:text-xs max-sm:tracking-normal beside:max-2xl:text-xs beside:max-2xl:tracking-normal"
          >
            <OctagonX aria-hidden className="size-5 shrink-0 max-sm:hidden" />
            {t("dashboard.withheld.heading")}
          </h2>
          {/* The button takes the title's place, so that no row moves. */}
          <div className="flex min-h-9 items-center has-[form]:basis-full max-sm:min-h-4.5">
            {chosen.length > 0 && (
              <AcknowledgeChosen
                drivers={chosen}
                onAcknowledged={() => focusNextOpen(heading.current)}
              />
            )}
            <h3 className={chosen.length > 0 ? "sr-only" : "text-sm"}>{groups[0]?.title}</h3>
          </div>
        </div>
        {groups.map(({ title, rows, isNew }, index) => (
          <div key={String(isNew)}>
            {index > 0 && (
              <h3 className="bg-withheld-soft px-4 py-1.5 text-base text-withheld-ink">{title}</h3>
            )}
            <ul className="divide-y divide-line">
              {rows.map((driver) => (
                <WithheldDriver
                  key={driver.id}
                  driver={driver}
                  today={today}
                  isNew={isNew}
                  choice={isHandled(driver) ? doneMark : renderChoice(driver)}
                  onDetails={() =>
                    void navigate({ search: `?driver=${driver.id}`, hash: "details" })
                  }
                  isFirstOpen={driver === open[0]}
                  onAcknowledged={() => focusNextOpen(heading.current, driver.id)}
                />
              ))}
            </ul>
            {isNew && (
              <p className="bg-withheld-soft px-4 py-1.5 text-sm text-withheld-ink beside:max-2xl:text-xs/[1.359375rem]">
                {t("dashboard.queue.whatToDo")}
              </p>
            )}
          </div>
        ))}
      </div>
    </section>
  )
}
