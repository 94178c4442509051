import { RefreshCw, Trash2 } from "lucide-react"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { AcknowledgeChosen } from "~/entities/driver/acknowledge-chosen"
import { fullName } from "~/entities/driver/driver"
import { useRemoveDrivers } from "~/entities/driver/use-driver-mutations"
import { countDriversAs } from "~/lib/plurals"
import { Button } from "~/ui/button"
import { ConfirmDialog } from "~/ui/confirm-dialog"
import { ErrorAlert } from "~/ui/error-alert"
import { CheckDriversDialog } from "./check-drivers-dialog"
import type { DriverSelection } from "./selection"
import { SelectionMenu } from "./selection-menu"

type SelectionBarProps = {
  selection: DriverSelection
  /** Checking needs an active subscription. */
  canCheck: boolean
}

/**
 * The actions for the chosen drivers; nothing is shown while there are none. Over a table the bar
 * takes the place of its head but the box that chooses the page, so that no row moves.
 */
export function SelectionBar({ selection, canCheck }: SelectionBarProps) {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<"check" | "remove" | null>(null)
  const { selected, clear } = selection
  return (
    <>
      {selected.length > 0 && (
        <section
          aria-label={t("drivers.selection.bar")}
          className="@table:relative @table:z-15 @table:h-0 tall:@table:sticky tall:@table:top-(--head-top)"
        >
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-brand-soft px-4 py-2.5 @table:ml-10 @table:min-h-(--head) @table:gap-x-2 @table:py-0 @table:pr-3 @table:pl-2 @table:not-has-[form]:flex-nowrap">
            <div className="mr-auto flex items-center gap-x-1">
              <p role="status" className="text-sm font-semibold">
                {t("drivers.selection.count", countDriversAs(selected.length))}
              </p>
              <Button variant="ghost" size="sm" onClick={clear}>
                {t("drivers.selection.clear")}
              </Button>
            </div>
            <AcknowledgeChosen drivers={selected} onAcknowledged={clear} />
            {canCheck && (
              <Button
                variant="secondary"
                size="sm"
                aria-label={t("drivers.selection.checkLabel")}
                onClick={() => setDialog("check")}
                icon={RefreshCw}
              >
                {t("drivers.selection.check")}
              </Button>
            )}
            <SelectionMenu drivers={selected} canEdit={canCheck} />
            <Button
              variant="secondary"
              size="sm"
              aria-label={t("drivers.selection.removeLabel")}
              onClick={() => setDialog("remove")}
              icon={Trash2}
            >
              {t("drivers.selection.remove")}
            </Button>
          </div>
        </section>
      )}
      {dialog === "check" && (
        <CheckDriversDialog drivers={selected} onClose={() => setDialog(null)} />
      )}
      {dialog === "remove" && (
        <RemoveDriversDialog drivers={selected} onRemoved={clear} onClose={() => setDialog(null)} />
      )}
    </>
  )
}

const maxNames = 5

type RemoveDriversDialogProps = {
  drivers: readonly DriverSummaryOut[]
  onRemoved: () => void
  onClose: () => void
}

/** Asks with the number and the first names, then removes them. */
function RemoveDriversDialog({ drivers, onRemoved, onClose }: RemoveDriversDialogProps) {
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
