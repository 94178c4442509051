import { ClipboardList } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut, StateChangeOut } from "~/api/types.gen"
import { DocumentBadge } from "~/entities/driver/document-badge"
import { useProductToday } from "~/hooks/use-product-now"
import { formatDate, formatDateTime, warsawDate } from "~/lib/dates"
import { Accordion, AccordionItem } from "~/ui/accordion"
import { EmptyState } from "~/ui/empty-state"
import { NextPageButton } from "~/ui/next-page-button"
import { QueryState } from "~/ui/query-state"
import { ChangedChecks } from "./changed-checks"
import { ConfirmationButton } from "./confirmation-button"
import { useChangeHistory } from "./use-verification-history"
import { VerificationDetails } from "./verification-details"

type ChangeListProps = { driver: DriverSummaryOut; openNewest?: boolean }

/**
 * The history of one driver: verifications one after another with the same result are one entry,
 * which unfolds to each of them. One entry is expanded at a time.
 */
export function ChangeList({ driver, openNewest = false }: ChangeListProps) {
  const { t } = useTranslation()
  const history = useChangeHistory(driver.id)
  return (
    <QueryState
      query={history}
      loadingLabel={t("verifications.history.loading")}
      errorTitle={t("verifications.history.loadFailed")}
      errorClassName="m-4"
    >
      {({ pages }) => (
        <ChangeEntries
          driver={driver}
          entries={pages.flat()}
          openNewest={openNewest}
          older={
            history.hasNextPage && (
              <div className="grid place-items-center border-t border-line p-3">
                <NextPageButton pages={history}>{t("verifications.history.older")}</NextPageButton>
              </div>
            )
          }
        />
      )}
    </QueryState>
  )
}

type ChangeEntriesProps = {
  driver: DriverSummaryOut
  entries: readonly StateChangeOut[]
  openNewest: boolean
  older: React.ReactNode
}

function ChangeEntries({ driver, entries, openNewest, older }: ChangeEntriesProps) {
  const { t } = useTranslation()
  const today = useProductToday()
  const newest = entries[0]
  if (!newest) {
    return (
      <EmptyState icon={ClipboardList} title={t("verifications.history.empty")}>
        {t("verifications.history.emptyText")}
      </EmptyState>
    )
  }
  // By its own result: one that waits for a review is newer than the one that the driver has.
  const judged = { ...driver, verifications: [newest] }
  return (
    <>
      <Accordion {...(openNewest && { defaultValue: newest.firstVerifiedAt })}>
        {entries.map((change, index) => (
          // By its first check: a further one with the same result keeps the entry open.
          <AccordionItem
            key={change.firstVerifiedAt}
            value={change.firstVerifiedAt}
            heading={
              <ChangeHeading change={change} {...(index === 0 && { driver: judged, today })} />
            }
          >
            <div className="flex flex-col gap-4">
              <VerificationDetails
                verification={change}
                driver={judged}
                isNewest={index === 0}
                today={today}
              />
              {change.checks > 1 ? (
                <ChangedChecks change={change} driver={driver} />
              ) : (
                <ConfirmationButton verification={change} />
              )}
            </div>
          </AccordionItem>
        ))}
      </Accordion>
      {older}
    </>
  )
}

type ChangeHeadingProps = { change: StateChangeOut; driver?: DriverSummaryOut; today?: string }

/** Older entries are judged by their own day; the newest one is the driver's state today. */
function ChangeHeading({ change, driver, today }: ChangeHeadingProps) {
  const { t } = useTranslation()
  const { verifiedAt, firstVerifiedAt, checks } = change
  return (
    <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1">
      <span className="figures min-w-44 font-semibold">
        {checks === 1 ? (
          <time dateTime={verifiedAt}>{formatDateTime(verifiedAt)}</time>
        ) : formatDate(firstVerifiedAt) === formatDate(verifiedAt) ? (
          <time dateTime={verifiedAt}>{formatDate(verifiedAt)}</time>
        ) : (
          <>
            <time dateTime={firstVerifiedAt}>{formatDate(firstVerifiedAt)}</time>
            {" – "}
            <time dateTime={verifiedAt}>{formatDate(verifiedAt)}</time>
          </>
        )}
      </span>
      <DocumentBadge
        verification={change}
        driver={driver}
        today={today ?? warsawDate(Date.parse(verifiedAt))}
      />
      {checks > 1 && (
        <span className="text-sm text-ink-soft">
          {t("verifications.history.checks", { count: checks })}
        </span>
      )}
    </span>
  )
}
