import { useTranslation } from "react-i18next"
import type { DriverOut } from "~/api/types.gen"
import { fullName } from "~/shared/driver-list"
import { problemSentence } from "~/shared/problem"
import { Alert } from "~/ui/alert"
import { ConfirmDialog } from "~/ui/confirm-dialog"
import { Dialog } from "~/ui/dialog"
import { showToast } from "~/ui/toasts"
import { DriverForm } from "./driver-form"
import type { DriverFields } from "./driver-schema"
import { useRemoveDriver, useUpdateDriver } from "./use-drivers"

type AddDriverProps = {
  open: boolean
  onClose: () => void
  onAdded: (driver: DriverFields) => void
}

export function AddDriverDialog({ open, onClose, onAdded }: AddDriverProps) {
  const { t } = useTranslation()
  const added = (driver: DriverFields) => {
    onClose()
    onAdded(driver)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(stays) => stays || onClose()}
      title={t("drivers.form.addTitle")}
    >
      <DriverForm onDone={added} />
    </Dialog>
  )
}

export function EditDriverDialog({ driver, onClose }: { driver: DriverOut; onClose: () => void }) {
  const { t } = useTranslation()
  const update = useUpdateDriver()
  return (
    <Dialog open onOpenChange={(stays) => stays || onClose()} title={t("drivers.form.editTitle")}>
      <DriverForm
        driver={driver}
        onSubmit={(body) => update.mutateAsync({ path: { driver_id: driver.id }, body })}
        onDone={onClose}
      />
    </Dialog>
  )
}

export function DeleteDriverDialog({
  driver,
  onClose,
}: {
  driver: DriverOut
  onClose: () => void
}) {
  const { t } = useTranslation()
  const remove = useRemoveDriver()

  const confirm = () =>
    remove.mutate(
      { path: { driver_id: driver.id } },
      {
        onSuccess: () => {
          showToast({ title: t("common.success"), description: t("drivers.delete.done") })
          onClose()
        },
        onError: () =>
          showToast({
            tone: "error",
            title: t("common.error"),
            description: t("drivers.delete.failed"),
          }),
      },
    )

  return (
    <ConfirmDialog
      open
      onOpenChange={(stays) => stays || onClose()}
      title={t("drivers.delete.title", { name: fullName(driver) })}
      description={t("drivers.delete.text")}
      confirm={t("drivers.delete.confirm")}
      onConfirm={confirm}
      loading={remove.isPending}
    >
      {remove.error && (
        <Alert title={t("drivers.delete.failed")}>
          {problemSentence(t, remove.error, t("common.tryLater"))}
        </Alert>
      )}
    </ConfirmDialog>
  )
}
