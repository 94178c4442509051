import { Settings2, Users } from "lucide-react"
import { useTranslation } from "react-i18next"
import { buttonStyles } from "~/ui/button"
import { PageHeading } from "~/ui/page-heading"
import { AlertRecipients } from "./alert-recipients"
import { ChannelSettings } from "./channel-settings"
import { EmailProblem } from "./email-problem"
import { NotificationList } from "./notification-list"
import { PhoneVerification } from "./phone-verification"
import { PushSettings } from "./push-settings"

const linkStyles = buttonStyles({ variant: "secondary", size: "sm" })

export default function Alerts() {
  const { t } = useTranslation()
  return (
    <div className="@container flex flex-col gap-6">
      <PageHeading
        title={t("notifications.title")}
        action={
          <span className="flex flex-wrap gap-2">
            <a href="#channels" className={`@4xl:hidden ${linkStyles}`}>
              <Settings2 aria-hidden className="size-4" />
              {t("notifications.settings.title")}
            </a>
            <a href="#recipients" className={linkStyles}>
              <Users aria-hidden className="size-4" />
              {t("notifications.recipients.title")}
            </a>
          </span>
        }
      >
        <p>{t("notifications.lead")}</p>
      </PageHeading>
      <EmailProblem />
      <div className="grid items-start gap-6 @4xl:grid-cols-[minmax(0,1fr)_22rem]">
        <NotificationList />
        <div id="channels" className="flex min-w-0 flex-col gap-6">
          <ChannelSettings />
          <PushSettings />
          <PhoneVerification />
        </div>
      </div>
      <div id="recipients" className="scroll-mt-16 lg:scroll-mt-4">
        <AlertRecipients />
      </div>
    </div>
  )
}
