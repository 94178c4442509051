import { clsx } from "clsx"
import { BellOff, CheckCheck } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { Empty } from "~/ui/empty"
import { Failure } from "~/ui/failure"
import { PageTurner } from "~/ui/page-turner"
import { ProblemAlert } from "~/ui/problem-alert"
import { Spinner } from "~/ui/spinner"
import { showToast } from "~/ui/toasts"
import { NotificationRow } from "./notification-row"
import {
  pageSize,
  useMarkAllAsRead,
  useNotificationPage,
  useUnreadCount,
} from "./use-notifications"

/** What was told lately, newest first, a page at a time. */
export function NotificationList() {
  const { t } = useTranslation()
  const [page, setPage] = useState(1)
  const list = useNotificationPage(page)
  const unread = useUnreadCount({ fresh: true })
  const heading = useRef<HTMLHeadingElement>(null)
  const pages = Math.max(1, Math.ceil((list.data?.total ?? 0) / pageSize))

  const shown = Math.min(page, pages)

  // The last row of the last page was deleted, here or in another window.
  useEffect(() => {
    if (list.data && !list.isPlaceholderData && page > pages) setPage(pages)
  }, [list.data, list.isPlaceholderData, page, pages])

  const turnTo = (next: number) => {
    setPage(next)
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView?.({ block: "nearest" })
  }

  return (
    <Card className="overflow-hidden">
      <div className="flex min-h-15 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-5 py-3">
        <h2 ref={heading} tabIndex={-1} className="text-lg focus:outline-none">
          {t("notifications.list")}
        </h2>
        {unread > 0 && <ReadAll onDone={() => heading.current?.focus()} />}
      </div>
      {list.isPending && <Spinner label={t("notifications.loading")} />}
      {list.isError && (
        <div className="p-5">
          <Failure
            title={t("notifications.loadFailed")}
            error={list.error}
            onRetry={() => void list.refetch()}
            retrying={list.isFetching}
          />
        </div>
      )}
      {list.isSuccess && list.data.total === 0 && (
        <Empty icon={BellOff} title={t("notifications.empty")}>
          {t("notifications.emptyText")}
        </Empty>
      )}
      {list.isSuccess && list.data.total > 0 && (
        <ul
          aria-busy={list.isPlaceholderData || undefined}
          className={clsx("divide-y divide-line", list.isPlaceholderData && "opacity-60")}
        >
          {list.data.rows.map((notification) => (
            <NotificationRow
              key={notification.id}
              notification={notification}
              onRemoved={() => heading.current?.focus()}
            />
          ))}
        </ul>
      )}
      {list.isSuccess && pages > 1 && (
        <PageTurner
          label={t("notifications.paging.label")}
          previous={t("notifications.paging.newer")}
          next={t("notifications.paging.older")}
          page={shown}
          pages={pages}
          onPage={turnTo}
          className="justify-between border-t border-line p-4"
        >
          {t("notifications.paging.page", { page: shown, pages })}
        </PageTurner>
      )}
    </Card>
  )
}

function ReadAll({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const readAll = useMarkAllAsRead()

  const mark = () =>
    readAll.mutate(
      {},
      {
        onSuccess: onDone,
        onError: () =>
          showToast({
            tone: "error",
            title: t("common.error"),
            description: t("notifications.readAllFailed"),
          }),
      },
    )

  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        loading={readAll.isPending}
        onClick={mark}
        className="-mx-3 text-left"
      >
        {!readAll.isPending && <CheckCheck aria-hidden className="size-4" />}
        {t("notifications.readAll")}
      </Button>
      {readAll.error && (
        <div className="w-full">
          <ProblemAlert title={t("notifications.readAllFailed")} error={readAll.error} />
        </div>
      )}
    </>
  )
}
