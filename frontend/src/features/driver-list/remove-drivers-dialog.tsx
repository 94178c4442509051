import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { fullName } from "~/entities/driver/driver"
import { useRemoveDrivers } from "~/entities/driver/use-driver-mutations"
import { countDriversAs } from "~/lib/plurals"
import { ConfirmDialog } from "~/ui/confirm-dialog"
import { ErrorAlert } from "~/ui/error-alert"

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
        onSuccess: () => {
          onRemoved()
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      open
      onClose={onClose}
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
      <ErrorAlert title={t("drivers.selection.removeFailed")} error={remove.error} />
    </ConfirmDialog>
  )
}
