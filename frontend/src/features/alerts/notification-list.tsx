import { clsx } from "clsx"
import { BellOff, CheckCheck } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import type { NotificationOut } from "~/api/types.gen"
import { formatCalendarDate, warsawDate } from "~/lib/dates"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { EmptyState } from "~/ui/empty-state"
import { ErrorAlert } from "~/ui/error-alert"
import { Pagination } from "~/ui/pagination"
import { QueryState } from "~/ui/query-state"
import { NotificationRow } from "./notification-row"
import { useRemovals } from "./pending-removals"
import {
  pageSize,
  useMarkAllAsRead,
  useNotificationPage,
  useUnreadCount,
} from "./use-notifications"

/** The newest day first; of a day who may not drive, then the newest. */
function groupByDay(rows: readonly NotificationOut[]) {
  const dayOf = ({ createdAt }: NotificationOut) => warsawDate(Date.parse(createdAt))
  const rank = ({ kind }: NotificationOut) => Number(kind !== "withheld")
  const days = [...new Set(rows.map(dayOf))].sort().reverse()
  return days.map((day) => ({
    day: formatCalendarDate(day),
    ofDay: rows.filter((one) => dayOf(one) === day).sort((one, other) => rank(one) - rank(other)),
  }))
}

/** The notifications, newest first, a page at a time. */
export function NotificationList() {
  const { t } = useTranslation()
  const [page, setPage] = useState(1)
  const list = useNotificationPage(page)
  const unread = useUnreadCount({ fresh: true })
  const heading = useRef<HTMLHeadingElement>(null)
  const removals = useRemovals()
  const hiddenCount = [...removals.values()].filter((removal) => removal === "hidden").length
  const isShown = ({ id }: NotificationOut) => removals.get(id) !== "hidden"
  const shownTotal = Math.max(0, (list.data?.total ?? 0) - hiddenCount)
  const pageCount = Math.max(1, Math.ceil(shownTotal / pageSize))
  const currentPage = Math.min(page, pageCount)

  // The last row of the last page was deleted, here or in another tab.
  useEffect(() => {
    if (list.data && !list.isPlaceholderData && page > pageCount) setPage(pageCount)
  }, [list.data, list.isPlaceholderData, page, pageCount])

  const openPage = (next: number) => {
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
        {unread > 0 && <MarkAllAsReadButton onDone={() => heading.current?.focus()} />}
      </div>
      <QueryState
        query={list}
        loadingLabel={t("notifications.loading")}
        errorTitle={t("notifications.loadFailed")}
        errorClassName="m-5"
      >
        {({ rows }) =>
          shownTotal === 0 ? (
            <EmptyState icon={BellOff} title={t("notifications.empty")}>
              {t("notifications.emptyText")}
            </EmptyState>
          ) : (
            <div
              aria-busy={list.isPlaceholderData || undefined}
              className={clsx(list.isPlaceholderData && "opacity-60")}
            >
              {groupByDay(rows.filter(isShown)).map(({ day, ofDay }) => (
                <div key={day} className="border-line not-first:border-t">
                  <p className="figures bg-sunken px-5 py-1 text-xs font-semibold text-ink-soft">
                    {day}
                  </p>
                  <ul aria-label={day} className="divide-y divide-line">
                    {ofDay.map((notification) => (
                      <NotificationRow
                        key={notification.id}
                        notification={notification}
                        onRemoved={() => heading.current?.focus()}
                      />
                    ))}
                  </ul>
                </div>
              ))}
            </div>
          )
        }
      </QueryState>
      {list.isSuccess && pageCount > 1 && (
        <Pagination
          label={t("notifications.paging.label")}
          previousLabel={t("notifications.paging.newer")}
          nextLabel={t("notifications.paging.older")}
          page={currentPage}
          pageCount={pageCount}
          onPageChange={openPage}
          className="justify-between border-t border-line p-4"
        >
          {t("notifications.paging.page", { page: currentPage, pages: pageCount })}
        </Pagination>
      )}
    </Card>
  )
}

function MarkAllAsReadButton({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const markAllAsRead = useMarkAllAsRead()

  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        loading={markAllAsRead.isPending}
        onClick={() => markAllAsRead.mutate({}, { onSuccess: onDone })}
        className="-mx-3 text-left"
        icon={CheckCheck}
      >
        {t("notifications.readAll")}
      </Button>
      <ErrorAlert
        title={t("notifications.readAllFailed")}
        error={markAllAsRead.error}
        className="w-full"
      />
    </>
  )
}
