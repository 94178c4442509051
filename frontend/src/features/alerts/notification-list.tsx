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
import { NewMark, NotificationRow } from "./notification-row"
import { useRemovals } from "./pending-removals"
import {
  pageSize,
  useMarkAllAsRead,
  useNotificationPage,
  useUnreadCount,
} from "./use-notifications"

/**
 * The newest day first; of a day who may not drive, then the newest. Several documents that expire
 * soon are together, as in one mail.
 */
function groupByDay(rows: readonly NotificationOut[]) {
  const dayOf = ({ createdAt }: NotificationOut) => warsawDate(Date.parse(createdAt))
  const rank = ({ kind }: NotificationOut) => Number(kind !== "withheld")
  const days = [...new Set(rows.map(dayOf))].sort().reverse()
  return days.map((day) => {
    const all = rows.filter((one) => dayOf(one) === day).sort((a, b) => rank(a) - rank(b))
    const expiring = all.filter(({ kind }) => kind === "expiring")
    const together = expiring.length > 1 ? expiring : []
    return {
      day: formatCalendarDate(day),
      single: all.filter((one) => !together.includes(one)),
      expiring: together,
    }
  })
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

  const focusHeading = () => heading.current?.focus()
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
        {unread > 0 && <MarkAllAsReadButton onDone={focusHeading} />}
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
              {groupByDay(rows.filter(isShown)).map(({ day, single, expiring }) => (
                <div key={day} className="border-line not-first:border-t">
                  <p className="figures bg-sunken px-5 py-1 text-xs font-semibold text-ink-soft">
                    {day}
                  </p>
                  {single.length > 0 && (
                    <NotificationRows label={day} rows={single} onRemoved={focusHeading} />
                  )}
                  {expiring.length > 0 && <Expiring rows={expiring} onRemoved={focusHeading} />}
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

type NotificationRowsProps = {
  label: string
  rows: readonly NotificationOut[]
  onRemoved: () => void
}

function NotificationRows({ label, rows, onRemoved }: NotificationRowsProps) {
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {rows.map((row) => (
        <NotificationRow key={row.id} notification={row} onRemoved={onRemoved} />
      ))}
    </ul>
  )
}

/** The documents that expire soon, of one day, in a row that opens them. */
function Expiring({ rows, onRemoved }: Omit<NotificationRowsProps, "label">) {
  const { t } = useTranslation()
  const label = t("notifications.expiring", { count: rows.length })
  const isNew = rows.some(({ read }) => !read)
  return (
    <details className="border-line not-nth-2:border-t">
      <summary
        className={clsx(
          "cursor-pointer px-5 py-3 text-sm hover:bg-sunken",
          isNew && "bg-brand-soft font-semibold",
        )}
      >
        {isNew && <NewMark />} <span>{label}</span>
      </summary>
      <div className="border-t border-line">
        <NotificationRows label={label} rows={rows} onRemoved={onRemoved} />
      </div>
    </details>
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
