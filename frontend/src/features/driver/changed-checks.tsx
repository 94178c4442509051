import { useState } from "react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut, StateChangeOut } from "~/api/types.gen"
import { formatDate, formatDateTime, warsawDate } from "~/lib/dates"
import { Button } from "~/ui/button"
import { NextPageButton } from "~/ui/next-page-button"
import { QueryState } from "~/ui/query-state"
import { ConfirmationButton } from "./confirmation-button"
import { useChecksOf } from "./use-verification-history"
import { VerificationDetails } from "./verification-details"

type ChangedChecksProps = { change: StateChangeOut; driver: DriverSummaryOut }

/** The single checks of a change, unfolded on request, each in full; each can be confirmed. */
export function ChangedChecks({ change, driver }: ChangedChecksProps) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="flex flex-col gap-3">
      <Button
        variant="secondary"
        size="sm"
        className="self-start"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen
          ? t("verifications.history.fold")
          : t("verifications.history.unfold", { count: change.checks })}
      </Button>
      {isOpen && <Checks change={change} driver={driver} />}
    </div>
  )
}

function Checks({ change, driver }: ChangedChecksProps) {
  const { t } = useTranslation()
  const checks = useChecksOf(change)
  const span = t("verifications.history.span", {
    first: formatDate(change.firstVerifiedAt),
    last: formatDate(change.verifiedAt),
  })
  return (
    <QueryState
      query={checks}
      loadingLabel={t("verifications.history.loading")}
      errorTitle={t("verifications.history.checksFailed")}
    >
      {({ pages }) => (
        <>
          <ul
            aria-label={t("verifications.history.checksOf", { span })}
            className="divide-y divide-line rounded-md border border-line bg-surface"
          >
            {pages.flat().map((check) => (
              <li key={check.id} className="flex flex-col gap-2 p-3">
                <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
                  <time dateTime={check.verifiedAt} className="figures text-sm font-semibold">
                    {formatDateTime(check.verifiedAt)}
                  </time>
                  <span className="ml-auto">
                    <ConfirmationButton verification={check} short />
                  </span>
                </div>
                <VerificationDetails
                  verification={check}
                  driver={driver}
                  isNewest={false}
                  today={warsawDate(Date.parse(check.verifiedAt))}
                />
              </li>
            ))}
          </ul>
          <NextPageButton pages={checks} className="self-center">
            {t("verifications.history.older")}
          </NextPageButton>
        </>
      )}
    </QueryState>
  )
}
