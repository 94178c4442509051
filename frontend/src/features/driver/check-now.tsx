import { RefreshCw } from "lucide-react"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { ApiError } from "~/lib/api-error"
import { errorMessage } from "~/lib/error-messages"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { useCheckDriver } from "./use-verification-history"

type CheckNowProps = {
  driver: Pick<DriverSummaryOut, "id" | "overLimit" | "neededCategories">
  /** Whether the subscription is active. */
  canCheck: boolean
  /** Whether another action is the one to do first. */
  isSecondary?: boolean
  /** Further actions in the same row. */
  children?: ReactNode
}

/** The manual check of one driver: its button, its result, and why it is not possible. */
export function CheckNow({ driver, canCheck, isSecondary, children }: CheckNowProps) {
  const { t } = useTranslation()
  const { check, describeResult, failed } = useCheckDriver([driver])
  const overLimit = driver.overLimit ? t("problems.driver_over_limit") : undefined
  const refusal = canCheck ? overLimit : t("verifications.history.subscription")

  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button
          variant={isSecondary ? "secondary" : "primary"}
          size={children ? "sm" : "md"} // as the buttons beside it
          loading={check.isPending}
          disabled={refusal !== undefined}
          onClick={() => check.mutate({ path: { driver_id: driver.id } })}
          icon={RefreshCw}
        >
          {t("verifications.history.check")}
        </Button>
        {children}
        <div className="flex basis-full flex-wrap gap-x-3 text-sm not-has-[:not(:empty)]:absolute">
          <p role="status" className="text-ink-soft">
            {check.isPending && t("verifications.history.checking")}
            {check.isSuccess && t("verifications.history.checked")}
          </p>
          <p role="status" className="font-semibold">
            {check.isSuccess && describeResult(check.data)}
          </p>
        </div>
        {refusal && <p className="text-sm text-ink-soft">{refusal}</p>}
      </div>
      {check.error && (
        <Alert title={errorMessage(t, check.error, failed)}>
          {check.error instanceof ApiError && check.error.retryAfter !== undefined && (
            <p>{t("verifications.history.retryIn", { count: check.error.retryAfter })}</p>
          )}
        </Alert>
      )}
    </>
  )
}
