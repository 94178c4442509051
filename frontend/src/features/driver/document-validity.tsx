import { clsx } from "clsx"
import { useTranslation } from "react-i18next"
import type { DriverOut, VerificationOut } from "~/api/types.gen"
import { DateStateChip } from "~/entities/driver/document-badge"
import { categoryKey, dateState } from "~/entities/driver/expiry"
import { marks, mayDrive } from "~/entities/driver/may-drive"
import { findCategoryProblems } from "~/entities/driver/needed-categories"
import { useProductToday } from "~/hooks/use-product-now"
import { daysUntil, formatCalendarDate } from "~/lib/dates"
import { Chip } from "~/ui/badge"

/** A bar is full from so many days on. */
const fullBarDays = 365

type DocumentValidityProps = { driver: DriverOut; latest: VerificationOut }

/** The remaining validity of the document and of each category, and the needed categories that are
 * missing. */
export function DocumentValidity({ driver, latest }: DocumentValidityProps) {
  const { t } = useTranslation()
  const today = useProductToday()
  const entitlesNow = mayDrive(driver, today) === "yes"
  const needed = driver.neededCategories.map(categoryKey)
  const missing = findCategoryProblems(driver.neededCategories, latest.categories, today).filter(
    ({ expiredOn }) => expiredOn === null,
  )
  return (
    <div className="flex flex-col gap-3">
      {latest.status === "invalid" && (
        <p className="text-sm text-withheld-ink">{t("drivers.page.suspended")}</p>
      )}
      <ul className="flex flex-col gap-3">
        <ValidityRow
          name={t("drivers.page.document")}
          lastDay={latest.expiryDate}
          today={today}
          void={!entitlesNow}
          note={
            latest.issuingAuthority &&
            t("drivers.page.authority", { authority: latest.issuingAuthority })
          }
        />
        {latest.categories.map(({ kategoria, dataWaznosci }) => (
          <ValidityRow
            key={`${kategoria}-${dataWaznosci}`}
            name={kategoria}
            lastDay={dataWaznosci}
            today={today}
            void={!entitlesNow}
            note={needed.includes(categoryKey(kategoria)) && t("drivers.page.needed")}
          />
        ))}
        {missing.map(({ category }) => (
          <li key={category} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-bold">{category}</span>
            <Chip {...marks.needed_category}>{t("drivers.page.missingNeeded")}</Chip>
            <span className="text-sm text-ink-soft">{t("drivers.page.needed")}</span>
          </li>
        ))}
      </ul>
      {latest.categories.length === 0 && (
        <p className="text-sm text-ink-soft">{t("drivers.page.noCategories")}</p>
      )}
    </div>
  )
}

type ValidityRowProps = {
  name: string
  lastDay: string | null
  today: string
  /** The driver may not drive, or nobody knows, whatever the date says. */
  void: boolean
  note?: string | null | false
}

function ValidityRow({ name, lastDay, today, void: isVoid, note }: ValidityRowProps) {
  const { t } = useTranslation()
  const state = dateState(lastDay, today)
  const daysLeft = lastDay ? daysUntil(lastDay, today) : fullBarDays
  const left = () => {
    if (!lastDay) return t("drivers.page.noDate")
    const until = t("drivers.page.until", { date: formatCalendarDate(lastDay) })
    if (daysLeft < 0) return until
    const days = daysLeft === 0 ? t("drivers.page.lastDay") : daysLeftText(daysLeft)
    return daysLeft < fullBarDays ? `${until}, ${days}` : until
  }
  const daysLeftText = (count: number) => t("drivers.page.daysLeft", { count })
  const width = Math.max(0, Math.min(1, daysLeft / fullBarDays)) * 100

  return (
    <li>
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="font-bold">{name}</span>
        <span className="figures text-sm text-ink-soft">{left()}</span>
        <DateStateChip lastDay={lastDay} today={today} />
        {note && <span className="text-sm text-ink-soft">{note}</span>}
      </p>
      <svg
        aria-hidden
        viewBox="0 0 100 3"
        preserveAspectRatio="none"
        className="mt-1.5 block h-1.5 w-full rounded-full"
      >
        <rect width={100} height={3} className="fill-line" />
        <rect
          width={width}
          height={3}
          className={clsx(
            isVoid ? "fill-line-strong" : state === "soon" ? "fill-caution" : "fill-valid",
          )}
        />
      </svg>
    </li>
  )
}
