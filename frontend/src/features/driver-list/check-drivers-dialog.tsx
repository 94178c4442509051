import { useEffect, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { checkDriver } from "~/api/sdk.gen"
import type { DriverSummaryOut, VerificationOut } from "~/api/types.gen"
import { refreshDriverQueries } from "~/entities/driver/use-driver-mutations"
import { countDriversAs } from "~/lib/plurals"
import { Button } from "~/ui/button"
import { Dialog } from "~/ui/dialog"
import { ErrorAlert } from "~/ui/error-alert"

type CheckDriversDialogProps = { drivers: readonly DriverSummaryOut[]; onClose: () => void }

/**
 * Checks the drivers one by one and counts the outcomes; closing it stops after the current check.
 */
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

type CheckProgress = {
  done: number
  total: number
  outcomes: Partial<Record<VerificationOut["status"], number>>
  isRunning: boolean
  /** Why the rest was not checked; null if nothing stopped it. */
  error: unknown
}

/**
 * Checks drivers one after another from the first render on, as long as the caller is mounted. The
 * first error stops it: the hourly limit of checks, or a register that does not answer.
 */
function useBulkCheck(drivers: readonly DriverSummaryOut[]): CheckProgress {
  // Of the first render: the list is refetched while its drivers are being checked.
  const [chosen] = useState(drivers)
  const [progress, setProgress] = useState<CheckProgress>({
    done: 0,
    total: chosen.length,
    outcomes: {},
    isRunning: true,
    error: null,
  })
  const isStarted = useRef(false)
  const isMounted = useRef(true)

  useEffect(() => {
    isMounted.current = true
    const run = async () => {
      let error: unknown = null
      for (const { id } of chosen) {
        if (!isMounted.current) break
        try {
          const { data } = await checkDriver({ path: { driver_id: id }, throwOnError: true })
          setProgress(({ done, outcomes, ...rest }) => ({
            ...rest,
            done: done + 1,
            outcomes: { ...outcomes, [data.status]: (outcomes[data.status] ?? 0) + 1 },
          }))
        } catch (caught) {
          error = caught
          break
        }
      }
      setProgress((current) => ({ ...current, isRunning: false, error }))
      await refreshDriverQueries()
    }
    if (!isStarted.current) {
      isStarted.current = true
      void run()
    }
    return () => {
      isMounted.current = false
    }
  }, [chosen])

  return progress
}
