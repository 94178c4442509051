import { MessageSquare, Printer } from "lucide-react"
import { useTranslation } from "react-i18next"
import { useLocation } from "react-router"
import { browserLocation } from "~/hooks/use-external-redirect"
import { brand } from "~/lib/brand"
import { formatDateTime } from "~/lib/dates"
import { Button, buttonStyles } from "~/ui/button"
import { alarmAt, drivers } from "./sample-company"

/** On every screen: that the data are samples, the SMS of the alarm, the print view, the registration. */
export function SampleBanner() {
  const { t } = useTranslation()
  const [first] = drivers
  return (
    <section
      aria-label={t("dashboard.sample.title")}
      className="mb-6 rounded-lg border border-brand bg-brand-soft px-4 py-3 text-sm"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-72">
          <strong>{t("dashboard.sample.title")}</strong> {t("dashboard.sample.text")}
        </p>
        <Button variant="secondary" size="sm" icon={Printer} onClick={() => window.print()}>
          {t("dashboard.sample.pdf")}
        </Button>
        <a href="/auth/register" data-no-print className={buttonStyles({ size: "sm" })}>
          {t("dashboard.sample.register")}
        </a>
      </div>
      {first && (
        <p
          data-no-print
          className="mt-2 flex max-w-2xl items-start gap-2.5 rounded-md bg-surface px-3 py-2"
        >
          <MessageSquare aria-hidden className="mt-0.5 size-4 shrink-0 text-brand" />
          {t("dashboard.sample.sms", {
            brand,
            name: `${first.firstName} ${first.lastName}`,
            number: first.licenseNumber,
            state: first.verifications[0]?.documentStatus,
            checked: formatDateTime(alarmAt),
          })}
        </p>
      )}
    </section>
  )
}

/** In place of the screens that need an account. */
export function NotInSample() {
  const { t } = useTranslation()
  return <p className="text-lg">{t("dashboard.sample.closed")}</p>
}

/** Another page of the product, as the login after signing out; never another host (`//evil.test`). */
export function LeaveSample() {
  browserLocation.assign(window.location.origin + useLocation().pathname)
  return null
}
