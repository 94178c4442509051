import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { countDriversAs } from "~/lib/plurals"
import { Button } from "~/ui/button"
import { Dialog } from "~/ui/dialog"
import { ErrorAlert } from "~/ui/error-alert"
import { type CheckProgress, useBulkCheck } from "./use-bulk-check"

type CheckDriversDialogProps = { drivers: readonly DriverSummaryOut[]; onClose: () => void }

/** Checks the drivers one by one and says what came of it; closing it stops after the present one. */
export function CheckDriversDialog({ drivers, onClose }: CheckDriversDialogProps) {
  const { t } = useTranslation()
  const progress = useBulkCheck(drivers)
  const { done, total, isRunning, error } = progress
  return (
    <Dialog open onClose={onClose} title={t("drivers.selection.checkTitle", countDriversAs(total))}>
      <div className="flex flex-col gap-4">
        <div>
          <p role="status" className="figures mb-2 font-semibold">
            {t("drivers.selection.progress", { done, total })}
          </p>
          <progress
            aria-label={t("drivers.selection.progress", { done, total })}
            value={done}
            max={total}
            className="block h-2.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-brand"
          />
        </div>
        <Outcomes progress={progress} />
        <ErrorAlert title={t("drivers.selection.checkStopped")} error={error} />
        <Button variant={isRunning ? "secondary" : "primary"} onClick={onClose}>
          {t(isRunning ? "drivers.selection.stop" : "common.close")}
        </Button>
      </div>
    </Dialog>
  )
}

const outcomes = ["invalid", "attention", "not_found", "valid"] as const

function Outcomes({ progress }: { progress: CheckProgress }) {
  const { t } = useTranslation()
  return (
    <dl className="flex flex-col gap-1">
      {outcomes.map((outcome) => (
        <div key={outcome} className="flex justify-between gap-4">
          <dt className="text-ink-soft">{t(`drivers.selection.outcome.${outcome}`)}</dt>
          <dd className="figures font-semibold">{progress.outcomes[outcome] ?? 0}</dd>
        </div>
      ))}
    </dl>
  )
}
