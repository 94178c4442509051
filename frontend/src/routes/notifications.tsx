import { useTranslation } from "react-i18next"
import { NotificationList } from "~/features/notifications/notification-list"
import { PageHeading } from "~/ui/page-heading"

export default function Notifications() {
  const { t } = useTranslation()
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <PageHeading title={t("notifications.title")}>
        <p>{t("notifications.lead")}</p>
      </PageHeading>
      <NotificationList />
    </div>
  )
}
