import { useTranslation } from "react-i18next"
import { listDriverNoticesQueryKey } from "~/api/@tanstack/react-query.gen"
import { listDriverNotices } from "~/api/sdk.gen"
import type { DriverNoticeOut } from "~/api/types.gen"
import { NoticeIcon } from "~/entities/notification/notice-icon"
import { usePages } from "~/hooks/use-pages"
import { useProductToday } from "~/hooks/use-product-now"
import { daysUntil, formatDateTime, warsawDate } from "~/lib/dates"
import { tieWords } from "~/lib/line-ends"
import { NextPageButton } from "~/ui/next-page-button"
import { QueryState } from "~/ui/query-state"

const noticesPerPage = 10
/** Days for which the server stores the outcome of a message. */
const deliveryRetentionDays = 30

/** The notices about one driver, and whether their mails and SMS arrived. */
export function DriverNotices({ driverId }: { driverId: string }) {
  const { t } = useTranslation()
  const path = { driver_id: driverId }
  const notices = usePages({
    queryKey: listDriverNoticesQueryKey({ path }),
    pageSize: noticesPerPage,
    call: (query, options) => listDriverNotices({ path, query, ...options }),
    refetchOnMount: "always",
  })
  return (
    <QueryState
      query={notices}
      loadingLabel={t("notifications.driver.loading")}
      errorTitle={t("notifications.driver.loadFailed")}
    >
      {({ pages }) =>
        pages[0]?.length === 0 ? (
          <p className="text-sm text-ink-soft">{t("notifications.driver.empty")}</p>
        ) : (
          <>
            <ul className="flex flex-col gap-4">
              {pages.flat().map((notice) => (
                <NoticeItem key={notice.id} notice={notice} />
              ))}
            </ul>
            <NextPageButton pages={notices} className="mt-3">
              {t("notifications.driver.older")}
            </NextPageButton>
          </>
        )
      }
    </QueryState>
  )
}

function NoticeItem({ notice }: { notice: DriverNoticeOut }) {
  const { kind, title, createdAt } = notice
  return (
    <li className="flex gap-3">
      <NoticeIcon kind={kind} />
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">{tieWords(title)}</p>
        <p className="figures text-sm text-ink-soft">
          <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>
        </p>
        <Deliveries notice={notice} />
      </div>
    </li>
  )
}

function Deliveries({ notice: { deliveries, createdAt } }: { notice: DriverNoticeOut }) {
  const { t } = useTranslation()
  const today = useProductToday()
  if (deliveries.length === 0) {
    const age = daysUntil(today, warsawDate(Date.parse(createdAt)))
    return (
      <p className="text-sm text-ink-soft">
        {t(
          age > deliveryRetentionDays ? "notifications.driver.old" : "notifications.driver.inPanel",
        )}
      </p>
    )
  }
  return (
    <ul className="flex flex-wrap gap-x-4 text-sm">
      {deliveries.map(({ medium, state, count }) => (
        <li
          key={`${medium}-${state}`}
          className={state === "refused" ? "font-semibold text-withheld-ink" : "text-ink-soft"}
        >
          {t(count > 1 ? "notifications.driver.deliveryMany" : "notifications.driver.delivery", {
            medium: t(`notifications.driver.medium.${medium}`),
            state: t(`notifications.driver.state.${state}`),
            count,
          })}
        </li>
      ))}
    </ul>
  )
}
