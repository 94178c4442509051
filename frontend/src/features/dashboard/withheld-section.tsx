import { OctagonX } from "lucide-react"
import { useId, useState } from "react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { fullName, latestVerification } from "~/entities/driver/driver"
import { formatDate } from "~/lib/dates"
import { Button } from "~/ui/button"
import { VerificationDialog } from "./verification-dialog"

/** The red section: a card for each driver whose latest verification is invalid. */
export function WithheldSection({ drivers }: { drivers: readonly DriverSummaryOut[] }) {
  const { t } = useTranslation()
  const headingId = useId()
  const [openDriver, setOpenDriver] = useState<DriverSummaryOut | null>(null)
  const withheld = drivers.filter((driver) => latestVerification(driver)?.status === "invalid")
  if (withheld.length === 0) return null

  return (
    <section
      aria-labelledby={headingId}
      className="overflow-hidden rounded-lg border-2 border-withheld bg-withheld-soft"
    >
      <h2
        id={headingId}
        className="flex items-center gap-3 bg-withheld px-4 py-3 text-base tracking-wide text-on-withheld sm:px-5"
      >
        <OctagonX aria-hidden className="size-6 shrink-0" />
        {t("dashboard.withheld.heading")}
      </h2>
      <ul className="grid gap-3 p-3 sm:p-4 md:grid-cols-[repeat(auto-fit,minmax(24rem,1fr))]">
        {withheld.map((driver) => (
          <li
            key={driver.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-md bg-surface px-4 py-3"
          >
            <div className="min-w-0">
              <h3 className="text-base wrap-anywhere">{fullName(driver)}</h3>
              <p className="serial text-sm text-ink-soft">
                {t("dashboard.withheld.licence", { number: driver.licenseNumber })}
              </p>
              <p className="figures text-sm text-ink-soft">
                {t("dashboard.withheld.checked", {
                  date: formatDate(latestVerification(driver)?.verifiedAt ?? 0),
                })}
              </p>
            </div>
            <Button
              variant="secondary"
              size="sm"
              aria-label={t("dashboard.withheld.detailsOf", { name: fullName(driver) })}
              onClick={() => setOpenDriver(driver)}
            >
              {t("dashboard.withheld.details")}
            </Button>
          </li>
        ))}
      </ul>
      {openDriver && <VerificationDialog driver={openDriver} onClose={() => setOpenDriver(null)} />}
    </section>
  )
}
