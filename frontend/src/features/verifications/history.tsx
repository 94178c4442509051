import { ClipboardList } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { DriverOut } from "~/api/types.gen"
import { formatMoment } from "~/shared/dates"
import { DocumentBadge } from "~/shared/document-badge"
import { Accordion, AccordionItem } from "~/ui/accordion"
import { Button } from "~/ui/button"
import { Empty } from "~/ui/empty"
import { Failure } from "~/ui/failure"
import { Spinner } from "~/ui/spinner"
import { useHistory } from "./use-history"
import { VerificationDetails } from "./verification-details"

/** The verifications in a window of their own, 400 px high; one of them is open at a time. */
export function History({ driver }: { driver: DriverOut }) {
  const { t } = useTranslation()
  const history = useHistory(driver.id)

  return (
    <section
      aria-label={t("verifications.history.list")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
      tabIndex={0}
      className="h-[400px] overflow-y-auto rounded-lg border border-line"
    >
      {history.isPending && <Spinner label={t("verifications.history.loading")} />}
      {history.isError && (
        <div className="p-4">
          <Failure
            title={t("verifications.history.loadFailed")}
            error={history.error}
            onRetry={() => void history.refetch()}
            retrying={history.isFetching}
          />
        </div>
      )}
      {history.isSuccess && <Entries driver={driver} history={history} />}
    </section>
  )
}

type EntriesProps = { driver: DriverOut; history: ReturnType<typeof useHistory> }

function Entries({ driver, history }: EntriesProps) {
  const { t } = useTranslation()
  const entries = history.data?.pages.flat() ?? []

  if (entries.length === 0) {
    return (
      <Empty icon={ClipboardList} title={t("verifications.history.empty")}>
        {t("verifications.history.emptyText")}
      </Empty>
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
                  {formatMoment(verification.verifiedAt)}
                </time>
                <DocumentBadge verification={verification} />
              </span>
            }
          >
            <VerificationDetails verification={verification} present={driver.licenseNumber} />
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
