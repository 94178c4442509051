import { useState } from "react"
import { useTranslation } from "react-i18next"
import type { StateChangeOut } from "~/api/types.gen"
import { formatDate, formatDateTime } from "~/lib/dates"
import { Button } from "~/ui/button"
import { NextPageButton } from "~/ui/next-page-button"
import { QueryState } from "~/ui/query-state"
import { ConfirmationButton } from "./confirmation-button"
import { useChecksOf } from "./use-verification-history"

/** The single checks of a change, unfolded on request; each can be confirmed. */
export function ChangedChecks({ change }: { change: StateChangeOut }) {
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
      {isOpen && <CheckTimes change={change} />}
    </div>
  )
}

function CheckTimes({ change }: { change: StateChangeOut }) {
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
              <li
                key={check.id}
                className="flex items-center justify-between gap-3 py-0.5 pr-1 pl-3"
              >
                <time dateTime={check.verifiedAt} className="figures text-sm">
                  {formatDateTime(check.verifiedAt)}
                </time>
                <ConfirmationButton verification={check} short />
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
