import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { AcknowledgementForm } from "~/entities/driver/acknowledgement"
import { fullName } from "~/entities/driver/driver"
import {
  useAddDriver,
  useRemoveDriver,
  useUpdateDriver,
} from "~/entities/driver/use-driver-mutations"
import { PlanNote, type PlanUsage } from "~/entities/subscription/plan-note"
import { ConfirmDialog } from "~/ui/confirm-dialog"
import { Dialog } from "~/ui/dialog"
import { ErrorAlert } from "~/ui/error-alert"
import { DriverForm } from "./driver-form"

type AddDriverProps = {
  open: boolean
  /** How many drivers the company has, and may have. */
  plan: PlanUsage
  onClose: () => void
  onAdded: () => void
}

export function AddDriverDialog({ open, plan, onClose, onAdded }: AddDriverProps) {
  const { t } = useTranslation()
  const handleAdded = () => {
    onClose()
    onAdded()
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t("drivers.form.addTitle")}
      description={t("drivers.plan.used", plan)}
    >
      <PlanNote plan={plan} />
      <AddDriverForm onDone={handleAdded} onNext={onAdded} />
    </Dialog>
  )
}

/** Inside the dialog, so that a new attempt starts without the error of the last one. */
function AddDriverForm({ onDone, onNext }: { onDone: () => void; onNext: () => void }) {
  return <DriverForm mutation={useAddDriver()} onDone={onDone} onNext={onNext} />
}

type DriverDialogProps = { driver: DriverSummaryOut; onClose: () => void }

/** 'Odsunięty od jazdy' of a driver whose row has no room for its form. */
export function AcknowledgeDialog({ driver, onClose }: DriverDialogProps) {
  const { t } = useTranslation()
  const label = t("dashboard.queue.acknowledgeOf", { name: fullName(driver) })
  return (
    <Dialog open onClose={onClose} title={label}>
      <AcknowledgementForm drivers={[driver]} label={label} onDone={onClose} onCancel={onClose} />
    </Dialog>
  )
}

export function EditDriverDialog({ driver, onClose }: DriverDialogProps) {
  const { t } = useTranslation()
  const update = useUpdateDriver(driver.id)
  return (
    <Dialog open onClose={onClose} title={t("drivers.form.editTitle")}>
      <DriverForm driver={driver} mutation={update} onDone={onClose} />
    </Dialog>
  )
}

type DeleteDriverDialogProps = DriverDialogProps & { onDeleted?: () => void }

export function DeleteDriverDialog({
  driver,
  onClose,
  onDeleted = onClose,
}: DeleteDriverDialogProps) {
  const { t } = useTranslation()
  const remove = useRemoveDriver()

  const confirmDelete = () =>
    remove.mutate({ path: { driver_id: driver.id } }, { onSuccess: onDeleted })

  return (
    <ConfirmDialog
      onClose={onClose}
      title={t("drivers.delete.title", { name: fullName(driver) })}
      description={t("drivers.delete.text")}
      confirmLabel={t("drivers.delete.confirm")}
      onConfirm={confirmDelete}
      loading={remove.isPending}
    >
      <ErrorAlert title={t("drivers.delete.failed")} error={remove.error} />
    </ConfirmDialog>
  )
}
