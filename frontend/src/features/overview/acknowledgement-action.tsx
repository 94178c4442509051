import { UserRoundCheck } from "lucide-react"
import { type ReactNode, useState } from "react"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut } from "~/api/types.gen"
import { fullName } from "~/entities/driver/driver"
import { Button } from "~/ui/button"
import { AcknowledgementForm } from "./acknowledgement-form"
import { useMayAcknowledge } from "./use-acknowledgement"

type AcknowledgementActionProps = {
  driver: DriverSummaryOut
  onAcknowledged: () => void
  /** Buttons beside it; the form takes their place. */
  children?: ReactNode
}

/** 'Odsunięty od jazdy': a button, and the form it opens; nothing once somebody has noted it. */
export function AcknowledgementAction({
  driver,
  onAcknowledged,
  children,
}: AcknowledgementActionProps) {
  const { t } = useTranslation()
  const mayAcknowledge = useMayAcknowledge()
  const [isWriting, setIsWriting] = useState(false)
  const { episode } = driver
  const name = fullName(driver)
  const isOpen = mayAcknowledge && episode !== null && !episode.acknowledgement
  if (isWriting && isOpen) {
    return (
      <AcknowledgementForm
        driverId={driver.id}
        name={name}
        since={episode.since}
        onDone={onAcknowledged}
        onCancel={() => setIsWriting(false)}
      />
    )
  }
  if (!isOpen && !children) return null
  return (
    <div className="flex flex-wrap gap-2">
      {isOpen && (
        <Button
          size="sm"
          aria-label={t("dashboard.queue.acknowledgeOf", { name })}
          onClick={() => setIsWriting(true)}
        >
          <UserRoundCheck aria-hidden className="size-4" />
          {t("dashboard.queue.acknowledge")}
        </Button>
      )}
      {children}
    </div>
  )
}
