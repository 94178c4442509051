import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
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

type EditDriverDialogProps = { driver: DriverSummaryOut; onClose: () => void }

export function EditDriverDialog({ driver, onClose }: EditDriverDialogProps) {
  const { t } = useTranslation()
  const update = useUpdateDriver(driver.id)
  return (
    <Dialog open onClose={onClose} title={t("drivers.form.editTitle")}>
      <DriverForm driver={driver} mutation={update} onDone={onClose} />
    </Dialog>
  )
}

type DeleteDriverDialogProps = {
  driver: DriverSummaryOut
  onClose: () => void
  onDeleted?: () => void
}

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
