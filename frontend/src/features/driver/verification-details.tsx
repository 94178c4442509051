import { useTranslation } from "react-i18next"
import type { DriverSummaryOut, VerificationOut } from "~/api/types.gen"
import {
  CategoryProblemChips,
  DateStateChip,
  ExpiryChips,
  ExpiryDate,
} from "~/entities/driver/document-badge"
import { problemCategories } from "~/entities/driver/driver"
import { formatCalendarDate } from "~/lib/dates"
import { Fact } from "~/ui/fact"

type VerificationDetailsProps = {
  verification: VerificationOut
  driver: DriverSummaryOut
  /** Whether it is the driver's newest one, which decides about the needed categories. */
  isNewest: boolean
  /** The Warsaw day on which the dates are judged. */
  today: string
}

/** One verification in full. The licence number is shown if the driver has another one now. */
export function VerificationDetails({
  verification,
  driver,
  isNewest,
  today,
}: VerificationDetailsProps) {
  const { t } = useTranslation()
  const { categories, reasons } = verification

  return (
    <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
      <Fact name={t("verifications.history.status")}>
        <span className="flex flex-wrap items-center gap-2">
          {t(`verifications.outcome.${verification.status}`)}{" "}
          {isNewest && <CategoryProblemChips driver={driver} today={today} />}
          <ExpiryChips
            verification={verification}
            today={today}
            states={["expired"]}
            except={problemCategories(isNewest ? driver : undefined, today)}
          />
        </span>
      </Fact>
      <Fact name={t("verifications.history.documentStatus")}>
        {verification.documentStatus ?? t("verifications.history.noData")}
      </Fact>
      <Fact name={t("verifications.history.reasons")}>
        {reasons.length === 0
          ? t("verifications.history.noReasons")
          : reasons.map(({ kod, wartosc }) => (
              <span key={`${kod}-${wartosc}`} className="block">
                {wartosc}
              </span>
            ))}
      </Fact>
      <Fact name={t("verifications.history.authority")}>
        {verification.issuingAuthority ?? t("verifications.history.noData")}
      </Fact>
      <Fact name={t("verifications.history.expiryDate")}>
        <ExpiryDate
          verification={verification}
          today={today}
          missing={t("verifications.history.noData")}
        />
      </Fact>
      {verification.licenseNumber !== driver.licenseNumber && (
        <Fact name={t("verifications.history.asked")}>
          <span className="serial">{verification.licenseNumber}</span>
        </Fact>
      )}
      <Fact
        name={t("verifications.history.categories")}
        className="sm:col-span-2"
        valueClass="mt-1"
      >
        {categories.length === 0 ? (
          <span className="font-medium">{t("verifications.history.noCategories")}</span>
        ) : (
          <ul className="flex flex-wrap gap-2">
            {categories.map(({ kategoria, dataWaznosci }) => (
              <li
                key={kategoria}
                className="flex flex-wrap items-baseline gap-x-2 rounded-md border border-line px-2.5 py-1"
              >
                <span className="font-bold">{kategoria}</span>{" "}
                <span className="figures text-ink-soft">
                  {dataWaznosci
                    ? t("verifications.history.validUntil", {
                        date: formatCalendarDate(dataWaznosci),
                      })
                    : t("verifications.history.noExpiry")}
                </span>{" "}
                <DateStateChip lastDay={dataWaznosci} today={today} />
              </li>
            ))}
          </ul>
        )}
      </Fact>
      {verification.notes && (
        <Fact name={t("verifications.history.notes")} className="sm:col-span-2">
          <span className="whitespace-pre-line">{verification.notes}</span>
        </Fact>
      )}
    </dl>
  )
}
