import { useTranslation } from "react-i18next"
import type { AcknowledgementOut } from "~/api/types.gen"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { useMayAcknowledge, useWithdraw } from "./use-acknowledgement"

type AcknowledgementWithdrawalProps = {
  driverId: string
  acknowledgement: AcknowledgementOut
  /** Of the button, where several are on the page. */
  label?: string
}

/** Undoes an acknowledgement that was a mistake. */
export function AcknowledgementWithdrawal({
  driverId,
  acknowledgement,
  label,
}: AcknowledgementWithdrawalProps) {
  const { t } = useTranslation()
  const withdraw = useWithdraw()
  if (!useMayAcknowledge()) return null

  const undo = () =>
    withdraw.mutate({ path: { driver_id: driverId, acknowledgement_id: acknowledgement.id } })

  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        className="mt-2"
        aria-label={label}
        loading={withdraw.isPending}
        onClick={undo}
      >
        {t("dashboard.details.withdraw")}
      </Button>
      <ErrorAlert title={t("dashboard.details.withdrawFailed")} error={withdraw.error} />
    </>
  )
}
