import { clsx } from "clsx"
import { Check, Trash2 } from "lucide-react"
import { useRef } from "react"
import { useTranslation } from "react-i18next"
import { Link } from "react-router"
import type { NotificationOut } from "~/api/types.gen"
import { driverPath } from "~/entities/driver/driver"
import { NoticeIcon } from "~/entities/notification/notice-icon"
import { formatTime } from "~/lib/dates"
import { tieWords } from "~/lib/line-ends"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { useRemovals } from "./pending-removals"
import { useMarkAsRead, useRemoveNotification } from "./use-notifications"

type NotificationRowProps = { notification: NotificationOut; onRemoved: () => void }

/** One notification. Buttons that disappear with their action pass the focus on. */
export function NotificationRow({ notification, onRemoved }: NotificationRowProps) {
  const { t } = useTranslation()
  const { id, title, content, read, createdAt, kind, driverId } = notification
  const removal = useRemovals().get(id)
  const heading = useRef<HTMLHeadingElement>(null)
  const markAsRead = useMarkAsRead()
  const remove = useRemoveNotification()
  const path = { notification_id: id }

  const handleMarkAsRead = () =>
    markAsRead.mutate({ path }, { onSuccess: () => heading.current?.focus() })

  const handleRemove = () => {
    remove(id)
    onRemoved()
  }

  return (
    <li
      className={clsx(
        "relative px-5 py-1.5",
        driverId && "hover:bg-sunken",
        !read && "bg-brand-soft hover:bg-brand-soft/60",
      )}
    >
      <div className="flex items-start gap-x-3 max-sm:flex-wrap">
        <NoticeIcon kind={kind} />
        {/* On a phone the text has the width, and the buttons stand beside the link or below it. */}
        <div className="min-w-0 flex-1 max-sm:basis-[calc(100%-3rem)]">
          <h3
            ref={heading}
            tabIndex={-1}
            className={clsx(
              "text-sm tracking-normal text-wrap wrap-break-word focus:outline-none",
              read && "font-medium",
            )}
          >
            {!read && <NewMark />} {tieWords(title)}
          </h3>
          {/* The driver's page has the whole text. */}
          <p
            title={content}
            className={clsx(
              "text-xs wrap-anywhere text-ink-soft",
              driverId ? "line-clamp-3 sm:line-clamp-2" : "whitespace-pre-line",
            )}
          >
            <time dateTime={createdAt} className="figures mr-2 whitespace-nowrap">
              {formatTime(createdAt)}
            </time>
            <span>{tieWords(content)}</span>
          </p>
          {driverId && (
            <Link
              to={driverPath(driverId)}
              aria-label={t("notifications.aboutDriver", { title })}
              className="inline-flex min-h-10 items-center rounded-sm text-sm font-semibold text-brand focus-visible:-outline-offset-2 sm:absolute sm:inset-0"
            >
              <span className="sm:sr-only">{t("notifications.openDriver")}</span>
            </Link>
          )}
        </div>
        <div
          className={clsx(
            "z-1 flex shrink-0 gap-1 max-sm:ml-auto",
            driverId && "min-[22.5rem]:max-sm:-mt-9",
          )}
        >
          {!read && (
            <Button
              variant="secondary"
              size="icon"
              loading={markAsRead.isPending}
              title={t("notifications.markReadShort")}
              aria-label={t("notifications.markRead", { title })}
              onClick={handleMarkAsRead}
              icon={Check}
            />
          )}
          <Button
            variant="ghost"
            size="icon"
            title={t("notifications.deleteShort")}
            aria-label={t("notifications.delete", { title })}
            onClick={handleRemove}
            className="text-ink-soft! hover:text-withheld-ink!"
            icon={Trash2}
          />
        </div>
      </div>
      <ErrorAlert
        title={t("notifications.markReadFailed")}
        error={markAsRead.error}
        className="mt-3"
      />
      {removal && removal !== "hidden" && (
        <ErrorAlert
          title={t("notifications.deleteFailed")}
          error={removal.error}
          className="mt-3"
        />
      )}
    </li>
  )
}

export function NewMark() {
  const { t } = useTranslation()
  return (
    <span className="mr-2 rounded-sm bg-brand px-1.5 py-px text-xs font-semibold text-on-brand">
      {t("notifications.new")}
    </span>
  )
}
