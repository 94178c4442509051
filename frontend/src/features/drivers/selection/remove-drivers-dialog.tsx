import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { fullName } from "~/entities/driver/driver"
import { errorMessage } from "~/lib/error-messages"
import { countDriversAs } from "~/lib/plurals"
import { Alert } from "~/ui/alert"
import { ConfirmDialog } from "~/ui/confirm-dialog"
import { showToast } from "~/ui/toasts"
import { useRemoveDrivers } from "../use-driver-mutations"

const maxNames = 5

type RemoveDriversDialogProps = {
  drivers: readonly DriverSummaryOut[]
  onRemoved: () => void
  onClose: () => void
}

/** Asks with the number and the first names, then removes them. */
export function RemoveDriversDialog({ drivers, onRemoved, onClose }: RemoveDriversDialogProps) {
  const { t } = useTranslation()
  const remove = useRemoveDrivers()
  const names = drivers.slice(0, maxNames).map(fullName).join(", ")
  const confirm = () =>
    remove.mutate(
      drivers.map(({ id }) => id),
      {
        onSuccess: ({ removed }) => {
          showToast({
            title: t("common.success"),
            description: t("drivers.selection.removed", countDriversAs(removed)),
          })
          onRemoved()
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={t("drivers.selection.removeTitle", countDriversAs(drivers.length))}
      description={t("drivers.selection.removeText")}
      confirmLabel={t("drivers.selection.removeConfirm", countDriversAs(drivers.length))}
      onConfirm={confirm}
      loading={remove.isPending}
    >
      <p className="text-sm font-medium wrap-anywhere">
        {drivers.length > maxNames
          ? t("drivers.selection.andMore", { names, more: drivers.length - maxNames })
          : names}
      </p>
      {remove.error && (
        <Alert title={t("drivers.selection.removeFailed")}>
          {errorMessage(t, remove.error, t("common.tryLater"))}
        </Alert>
      )}
    </ConfirmDialog>
  )
}
