import { ClipboardList } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { DocumentBadge } from "~/entities/driver/document-badge"
import { formatDateTime } from "~/lib/dates"
import { Accordion, AccordionItem } from "~/ui/accordion"
import { Button } from "~/ui/button"
import { EmptyState } from "~/ui/empty-state"
import { QueryState } from "~/ui/query-state"
import { useVerificationHistory } from "./use-verification-history"
import { VerificationDetails } from "./verification-details"

/** The verifications in a scrolling area of 400 px; one of them is expanded at a time. */
export function VerificationHistory({ driver }: { driver: DriverSummaryOut }) {
  const { t } = useTranslation()
  const history = useVerificationHistory(driver.id)

  return (
    <section
      aria-label={t("verifications.history.list")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
      tabIndex={0}
      className="h-[400px] overflow-y-auto rounded-lg border border-line"
    >
      <QueryState
        query={history}
        loadingLabel={t("verifications.history.loading")}
        errorTitle={t("verifications.history.loadFailed")}
        errorClassName="p-4"
      >
        {() => <HistoryEntries driver={driver} history={history} />}
      </QueryState>
    </section>
  )
}

type HistoryEntriesProps = {
  driver: DriverSummaryOut
  history: ReturnType<typeof useVerificationHistory>
}

function HistoryEntries({ driver, history }: HistoryEntriesProps) {
  const { t } = useTranslation()
  const entries = history.data?.pages.flat() ?? []

  if (entries.length === 0) {
    return (
      <EmptyState icon={ClipboardList} title={t("verifications.history.empty")}>
        {t("verifications.history.emptyText")}
      </EmptyState>
    )
  }
  return (
    <>
      <Accordion>
        {entries.map((verification) => (
          <AccordionItem
            key={verification.id}
            value={verification.id}
            heading={
              <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1">
                <time dateTime={verification.verifiedAt} className="figures w-44 font-semibold">
                  {formatDateTime(verification.verifiedAt)}
                </time>
                <DocumentBadge verification={verification} />
              </span>
            }
          >
            <VerificationDetails
              verification={verification}
              currentLicenceNumber={driver.licenseNumber}
            />
          </AccordionItem>
        ))}
      </Accordion>
      {history.hasNextPage && (
        <div className="grid place-items-center border-t border-line p-3">
          <Button
            variant="ghost"
            size="sm"
            loading={history.isFetchingNextPage}
            onClick={() => void history.fetchNextPage()}
          >
            {t("verifications.history.older")}
          </Button>
        </div>
      )}
    </>
  )
}
