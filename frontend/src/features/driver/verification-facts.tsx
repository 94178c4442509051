import { useTranslation } from "react-i18next"
import type { CategoryOut, DriverSummaryOut } from "~/api/types.gen"
import {
  CategoryProblemChips,
  DateStateChip,
  DocumentStatus,
  ExpiryDate,
} from "~/entities/driver/document-badge"
import { latestVerification } from "~/entities/driver/driver"
import { categoryKey, categoryName } from "~/entities/driver/expiry"
import { mayDrive } from "~/entities/driver/may-drive"
import { useProductToday } from "~/hooks/use-product-now"
import { daysUntil, formatCalendarDate } from "~/lib/dates"
import { Fact } from "~/ui/fact"

/** From so many days on the number of the days that are left says nothing. */
const daysOfInterest = 365

/** The latest verification: the document, and how long it and each category are valid. */
export function VerificationFacts({ driver }: { driver: DriverSummaryOut }) {
  const { t } = useTranslation()
  const today = useProductToday()
  const latest = latestVerification(driver)
  const categories = latest?.categories ?? []
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
      <Fact name={t("dashboard.details.documentStatus")}>
        {latest?.documentStatus ? (
          <DocumentStatus t={t} status={latest.documentStatus} answer={mayDrive(driver, today)} />
        ) : (
          t("dashboard.details.noData")
        )}
      </Fact>
      <Fact name={t("dashboard.details.expiryDate")}>
        <ExpiryDate verification={latest} today={today} missing={t("dashboard.details.noData")} />{" "}
        <DaysLeft lastDay={latest?.expiryDate} today={today} />
      </Fact>
      <Fact name={t("dashboard.details.authority")}>
        {latest?.issuingAuthority ?? t("dashboard.details.noData")}
      </Fact>
      {driver.neededCategories.length > 0 && (
        <Fact name={t("dashboard.details.neededCategories")} className="sm:col-span-2">
          <span className="flex flex-wrap items-center gap-2">
            {driver.neededCategories.join(", ")}
            <CategoryProblemChips driver={driver} today={today} />
          </span>
        </Fact>
      )}
      <Fact name={t("dashboard.details.categories")} className="sm:col-span-2">
        {categories.length === 0 ? (
          t("dashboard.details.noCategories")
        ) : (
          <ul className="divide-y divide-line rounded-md border border-line">
            {categories.map((category) => (
              <Category
                key={`${category.kategoria}-${category.dataWaznosci}`}
                category={category}
                needed={driver.neededCategories}
                today={today}
              />
            ))}
          </ul>
        )}
        {latest?.status === "invalid" && (
          <p className="mt-2 text-sm font-normal text-withheld-ink">
            {t("drivers.page.suspended")}
          </p>
        )}
      </Fact>
    </dl>
  )
}

type CategoryProps = { category: CategoryOut; needed: readonly string[]; today: string }

function Category({ category: { kategoria, dataWaznosci }, needed, today }: CategoryProps) {
  const { t } = useTranslation()
  const isNeeded = needed.some((one) => categoryKey(one) === categoryKey(kategoria))
  return (
    <li className="flex items-baseline justify-between gap-4 px-3 py-1.5">
      <span>
        <span className="font-bold">{categoryName(kategoria)}</span>{" "}
        {isNeeded && (
          <span className="text-sm font-normal text-ink-soft">{t("drivers.page.needed")} </span>
        )}
      </span>
      <span className="figures flex flex-wrap items-baseline justify-end gap-x-2 text-sm font-normal text-ink-soft">
        <DateStateChip lastDay={dataWaznosci} today={today} />{" "}
        {dataWaznosci
          ? t("dashboard.details.validUntil", { date: formatCalendarDate(dataWaznosci) })
          : t("dashboard.details.noExpiry")}{" "}
        <DaysLeft lastDay={dataWaznosci} today={today} />
      </span>
    </li>
  )
}

/** How many days are left, within the next year. */
function DaysLeft({ lastDay, today }: { lastDay: string | null | undefined; today: string }) {
  const { t } = useTranslation()
  const count = lastDay ? daysUntil(lastDay, today) : -1
  if (count < 0 || count >= daysOfInterest) return null
  const text = count === 0 ? t("drivers.page.lastDay") : t("drivers.page.daysLeft", { count })
  return <span className="text-sm font-normal text-ink-soft">({text})</span>
}
