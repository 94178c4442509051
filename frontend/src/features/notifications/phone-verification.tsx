import { useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { Badge } from "~/ui/badge"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { CodeForm } from "./code-form"
import { PhoneForm } from "./phone-form"
import { formatPhone } from "./phone-number"
import { useExpectCode, useSentCode } from "./use-phone"
import { useFreshUser } from "./use-settings"
import { type Wait, waitFrom } from "./waiting"

/** The phone for SMS: a number, then the code that came to it, then a verified number. */
export function PhoneVerification() {
  const { t } = useTranslation()
  const { phoneNumber, phoneVerified } = useFreshUser()
  const sent = useSentCode()
  const expectCode = useExpectCode()
  const [changing, setChanging] = useState(false)
  const [pause, setPause] = useState<Wait>()
  const heading = useRef<HTMLHeadingElement>(null)
  const verified = phoneVerified ? phoneNumber : null

  const done = () => {
    setChanging(false)
    heading.current?.focus()
  }
  const startOver = () => {
    setPause(sent?.resend)
    expectCode(null)
    setChanging(true)
  }

  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-5 py-4">
        <h2 ref={heading} tabIndex={-1} className="text-lg focus:outline-none">
          {t("notifications.phone.title")}
        </h2>
        {verified && !sent && !changing && (
          <Badge tone="valid">{t("notifications.phone.verified")}</Badge>
        )}
      </div>
      <div className="p-5">
        {sent && <CodeForm sent={sent} onOtherNumber={startOver} onVerified={done} />}
        {!sent && verified && !changing && (
          <Verified phoneNumber={verified} onChange={() => setChanging(true)} />
        )}
        {!sent && (!verified || changing) && (
          <PhoneForm
            known={verified ? null : phoneNumber}
            focused={changing}
            pause={pause}
            onHaveCode={(known) => expectCode({ phoneNumber: known, resend: waitFrom(0) })}
            {...(verified && { onCancel: done })}
          />
        )}
      </div>
    </Card>
  )
}

function Verified({ phoneNumber, onChange }: { phoneNumber: string; onChange: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <p className="figures text-lg whitespace-nowrap">{formatPhone(phoneNumber)}</p>
      <Button variant="secondary" size="sm" onClick={onChange}>
        {t("notifications.phone.change")}
      </Button>
    </div>
  )
}
