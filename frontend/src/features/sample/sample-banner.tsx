import { MessageSquare, Printer } from "lucide-react"
import { useTranslation } from "react-i18next"
import { useLocation } from "react-router"
import { browserLocation } from "~/hooks/use-external-redirect"
import { brand } from "~/lib/brand"
import { formatTime } from "~/lib/dates"
import { Button, buttonStyles } from "~/ui/button"
import { alarmAt, drivers } from "./sample-company"

/**
 * On every screen: that the data are samples, the SMS of the alarm, the print view, the registration.
 * On a phone it lies at the lower end, so that the alarm is in the first screen.
 */
export function SampleBanner() {
  const { t } = useTranslation()
  const [first] = drivers
  return (
    <section
      aria-label={t("dashboard.sample.title")}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-brand bg-brand-soft px-4 py-1.5 text-sm max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-20 max-lg:border-t lg:mb-4 lg:rounded-lg lg:border print:static"
    >
      <p className="min-w-0 flex-1 max-lg:text-xs lg:truncate">
        <strong>{t("dashboard.sample.title")}</strong>{" "}
        <span className="max-lg:hidden">{t("dashboard.sample.text")}</span>
      </p>
      {first && (
        <details data-no-print className="group relative">
          <summary className={`${buttonStyles({ variant: "ghost", size: "sm" })} cursor-pointer`}>
            <MessageSquare aria-hidden className="size-4" />
            {t("dashboard.sample.smsOf", { time: formatTime(alarmAt) })}
          </summary>
          <p className="absolute right-0 z-20 w-80 max-w-[90vw] animate-rise-in rounded-lg border border-line-strong bg-raised px-4 py-3 wrap-anywhere shadow-raised max-lg:fixed max-lg:inset-x-4 max-lg:bottom-16 max-lg:w-auto lg:mt-2">
            {t("dashboard.sample.sms", {
              brand,
              name: `${first.firstName} ${first.lastName}`,
              number: first.licenseNumber,
              host: window.location.host,
            })}
          </p>
        </details>
      )}
      <Button
        variant="secondary"
        size="sm"
        icon={Printer}
        className="max-lg:hidden"
        onClick={() => window.print()}
      >
        {t("dashboard.sample.pdf")}
      </Button>
      <a href="/auth/register" data-no-print className={buttonStyles({ size: "sm" })}>
        {t("dashboard.sample.register")}
      </a>
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
