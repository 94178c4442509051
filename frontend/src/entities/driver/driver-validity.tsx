import { clsx } from "clsx"
import type { TFunction } from "i18next"
import { CalendarX2 } from "lucide-react"
import type { ReactNode } from "react"
import type { CategoryOut, DriverSummaryOut } from "~/api/types.gen"
import { daysUntil, formatCalendarDate, formatShortDate } from "~/lib/dates"
import { Chip } from "~/ui/badge"
import { chooseCategories, orderCategories } from "./category-order"
import { expiriesToShow } from "./document-badge"
import { latestVerification, problemCategories } from "./driver"
import { categoryName, dateState } from "./expiry"
import { dateMark, marks } from "./may-drive"

type ValidityProps = { t: TFunction; driver: DriverSummaryOut; today: string }

/** The document's last day, with short chips for expiries that are past or near. */
export function ValidityDate({ t, driver, today }: ValidityProps) {
  const latest = latestVerification(driver)
  const except = problemCategories(driver, today)
  const { documentDay, categories } = expiriesToShow(latest, today, except)
  const inDays = (lastDay: string) => {
    const count = daysUntil(lastDay, today)
    return count === 0 ? t("drivers.expiresToday") : t("drivers.expiresIn", { count })
  }
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      {latest?.expiryDate ? (
        <time
          dateTime={latest.expiryDate}
          // The date of a withheld document entitles to nothing.
          className={clsx("figures", latest.status === "invalid" && "text-ink-soft")}
        >
          {formatCalendarDate(latest.expiryDate)}
        </time>
      ) : (
        <Missing>
          {latest &&
            t(latest.status === "not_found" ? "verifications.chips.notFound" : "drivers.noExpiry")}
        </Missing>
      )}
      {documentDay && <Chip {...marks.expires_soon}>{inDays(documentDay)}</Chip>}
      {categories.map(({ state, lastDay, codes }) => {
        const text =
          state === "expired"
            ? t("drivers.categoriesExpired", {
                count: codes.length,
                codes: codes.join(", "),
                date: formatShortDate(lastDay, today),
              })
            : `${codes.join(", ")} ${inDays(lastDay)}`
        return (
          <Chip key={lastDay} {...dateMark(state)} title={text}>
            {text}
          </Chip>
        )
      })}
    </span>
  )
}

/** The categories of the newest document; those that are over are struck through. */
export function CategoryList({ t, driver, today }: ValidityProps) {
  const categories = orderCategories(latestVerification(driver)?.categories ?? [])
  if (categories.length === 0) return <Missing />
  const shown = chooseCategories(categories, driver.neededCategories, today)
  const others = categories.filter((one) => !shown.includes(one))
  return (
    <span className="flex flex-wrap gap-0.5">
      {shown.map((category) => (
        <CategoryChip key={category.kategoria} category={category} today={today} t={t} />
      ))}
      {others.length > 0 && (
        <span
          title={others.map(({ kategoria }) => categoryName(kategoria)).join(", ")}
          className="px-0.5 text-xs leading-4.5 font-semibold text-ink-soft"
        >
          <span aria-hidden>+{others.length}</span>
          <span className="sr-only">
            {others.map(({ kategoria }) => categoryName(kategoria)).join(" ")}
          </span>
        </span>
      )}
    </span>
  )
}

type CategoryChipProps = { category: CategoryOut; today: string; t: TFunction }

function CategoryChip({ category, today, t }: CategoryChipProps) {
  const { kategoria, dataWaznosci } = category
  const isOver = dateState(dataWaznosci, today) === "expired"
  return (
    <span
      title={
        dataWaznosci
          ? t("drivers.categoryUntil", { date: formatCalendarDate(dataWaznosci) })
          : undefined
      }
      className={clsx(
        "inline-flex items-center gap-0.5 rounded-sm border px-1 text-xs leading-4 font-semibold",
        isOver ? "border-caution text-caution-ink line-through" : "border-line-strong",
      )}
    >
      {isOver && <CalendarX2 aria-hidden className="size-3 shrink-0" />}
      {categoryName(kategoria)}
      {isOver && <span className="sr-only"> {t("drivers.categoryOver")}</span>}{" "}
    </span>
  )
}

function Missing({ children }: { children?: ReactNode }) {
  return <span className="text-ink-soft">{children || "–"}</span>
}
