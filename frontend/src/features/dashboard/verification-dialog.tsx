import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { documentTone } from "~/entities/driver/document-status"
import { fullName, latestVerification } from "~/entities/driver/driver"
import { formatCalendarDate } from "~/lib/dates"
import { Badge } from "~/ui/badge"
import { Dialog } from "~/ui/dialog"

/** 'Szczegóły weryfikacji': a driver's latest verification in detail. */
export function VerificationDialog({
  driver,
  onClose,
}: {
  driver: DriverSummaryOut
  onClose: () => void
}) {
  const { t } = useTranslation()
  const latest = latestVerification(driver)
  const categories = latest?.categories ?? []

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t("dashboard.details.title")}
      description={
        <>
          {fullName(driver)}
          <span className="serial ml-3">{driver.licenseNumber}</span>
        </>
      }
    >
      <dl className="flex flex-col gap-4">
        <Fact name={t("dashboard.details.documentStatus")}>
          {latest?.documentStatus ? (
            <Badge tone={documentTone(latest.documentStatus)}>{latest.documentStatus}</Badge>
          ) : (
            t("dashboard.details.noData")
          )}
        </Fact>
        <Fact name={t("dashboard.details.expiryDate")}>
          {latest?.expiryDate
            ? formatCalendarDate(latest.expiryDate)
            : t("dashboard.details.noData")}
        </Fact>
        <Fact name={t("dashboard.details.authority")}>
          {latest?.issuingAuthority ?? t("dashboard.details.noData")}
        </Fact>
        <Fact name={t("dashboard.details.categories")}>
          {categories.length === 0 ? (
            t("dashboard.details.noCategories")
          ) : (
            <ul className="divide-y divide-line rounded-md border border-line">
              {categories.map(({ kategoria, dataWaznosci }) => (
                <li key={kategoria} className="flex justify-between gap-4 px-3 py-1.5">
                  <span className="font-bold">{kategoria}</span>
                  <span className="figures text-sm font-normal text-ink-soft">
                    {dataWaznosci
                      ? t("dashboard.details.validUntil", {
                          date: formatCalendarDate(dataWaznosci),
                        })
                      : t("dashboard.details.noExpiry")}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Fact>
      </dl>
    </Dialog>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="figures mt-1 font-medium wrap-anywhere">{children}</dd>
    </div>
  )
}
