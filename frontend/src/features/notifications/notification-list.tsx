import { clsx } from "clsx"
import { BellOff, Check } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { NotificationOut } from "~/api/types.gen"
import { formatMoment } from "~/shared/dates"
import { problemSentence } from "~/shared/problem"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { Empty } from "~/ui/empty"
import { Failure } from "~/ui/failure"
import { Spinner } from "~/ui/spinner"
import { showToast } from "~/ui/toasts"
import { useMarkAsRead, useNotifications } from "./use-notifications"

export function NotificationList() {
  const { t } = useTranslation()
  const list = useNotifications()

  if (list.isPending) return <Spinner label={t("notifications.loading")} />
  if (list.isError) {
    return (
      <Failure
        title={t("notifications.loadFailed")}
        error={list.error}
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    )
  }
  if (list.data.length === 0) {
    return (
      <Card>
        <Empty icon={BellOff} title={t("notifications.empty")}>
          {t("notifications.emptyText")}
        </Empty>
      </Card>
    )
  }
  return (
    <Card>
      <h2 className="border-b border-line px-5 py-4 text-lg">{t("notifications.list")}</h2>
      <ul className="divide-y divide-line">
        {list.data.map((notification) => (
          <Row key={notification.id} notification={notification} />
        ))}
      </ul>
    </Card>
  )
}

function Row({ notification }: { notification: NotificationOut }) {
  const { t } = useTranslation()
  const { id, title, content, read, createdAt } = notification
  const markAsRead = useMarkAsRead()

  const mark = () =>
    markAsRead.mutate(
      { path: { notification_id: id } },
      {
        onError: () =>
          showToast({
            tone: "error",
            title: t("common.error"),
            description: t("notifications.markReadFailed"),
          }),
      },
    )

  return (
    <li className={clsx("relative px-5 py-4", !read && "bg-brand-soft")}>
      <div className="flex items-start gap-4">
        <div className="min-w-0 flex-1">
          <h3 className={clsx("text-base tracking-normal", read && "font-medium")}>
            {!read && (
              <span className="mr-2 rounded-sm bg-brand px-1.5 py-px text-xs font-semibold text-on-brand">
                {t("notifications.new")}
              </span>
            )}
            {title}
          </h3>
          <p className="mt-1 text-sm wrap-anywhere whitespace-pre-line text-ink-soft">{content}</p>
          <p className="figures mt-1.5 text-sm text-ink-soft">
            <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
          </p>
        </div>
        {!read && (
          <Button
            variant="secondary"
            size="icon"
            loading={markAsRead.isPending}
            aria-label={t("notifications.markRead", { title })}
            onClick={mark}
          >
            {!markAsRead.isPending && <Check aria-hidden className="size-5" />}
          </Button>
        )}
      </div>
      {markAsRead.error && (
        <div className="mt-3">
          <Alert title={t("notifications.markReadFailed")}>
            {problemSentence(t, markAsRead.error, t("common.tryLater"))}
          </Alert>
        </div>
      )}
    </li>
  )
}
