import { UserRoundCheck } from "lucide-react"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { Button } from "~/ui/button"
import { AcknowledgementForm } from "./acknowledgement"
import { isOpen, useMayAcknowledge } from "./acknowledgement-calls"

type AcknowledgeChosenProps = { drivers: readonly DriverSummaryOut[]; onAcknowledged: () => void }

/**
 * Acknowledges the open episodes of several drivers at once: a button and the form that it opens;
 * nothing while none of them has one, or the user may not.
 */
export function AcknowledgeChosen({ drivers, onAcknowledged }: AcknowledgeChosenProps) {
  const { t } = useTranslation()
  const mayAcknowledge = useMayAcknowledge()
  const [isWriting, setIsWriting] = useState(false)
  const open = drivers.filter(isOpen)
  if (open.length === 0 || !mayAcknowledge) return null
  const label = t("dashboard.queue.acknowledgeChosen", { count: open.length })
  if (isWriting) {
    return (
      <div className="order-last my-1.5 w-full rounded-md bg-surface px-3 py-1 text-ink">
        <AcknowledgementForm
          drivers={open}
          label={label}
          onDone={() => {
            setIsWriting(false)
            onAcknowledged()
          }}
          onCancel={() => setIsWriting(false)}
        />
      </div>
    )
  }
  return (
    <Button variant="secondary" size="sm" icon={UserRoundCheck} onClick={() => setIsWriting(true)}>
      {label}
    </Button>
  )
}
