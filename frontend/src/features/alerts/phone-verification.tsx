import { useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { useLocation } from "react-router"
import { Badge } from "~/ui/badge"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { SectionHead } from "~/ui/section-head"
import { CodeForm } from "./code-form"
import { type Countdown, startCountdown } from "./countdown"
import { PhoneForm } from "./phone-form"
import { formatPhone } from "./phone-number"
import { testAlertId } from "./test-alert"
import { useFreshUser } from "./use-notification-settings"
import { setSentCode, useSentCode } from "./use-phone-verification"

/** SMS verification: first the phone number, then the code, then the verified number. */
export function PhoneVerification() {
  const { t } = useTranslation()
  const { phoneNumber, phoneVerified } = useFreshUser()
  const sentCode = useSentCode()
  const [changing, setChanging] = useState(false)
  const [resendCountdown, setResendCountdown] = useState<Countdown>()
  const heading = useRef<HTMLHeadingElement>(null)
  const isAsked = useLocation().hash === "#phone"
  const verified = phoneVerified ? phoneNumber : null

  // With SMS on, the next step is a message that shows them: the button stands on the same page.
  const showVerified = (smsOn: boolean) => {
    setChanging(false)
    const next = smsOn && document.getElementById(testAlertId)
    if (next) next.focus()
    else heading.current?.focus()
  }
  const changeNumber = () => {
    setResendCountdown(sentCode?.resendCountdown)
    setSentCode(null)
    setChanging(true)
  }

  return (
    <Card id="phone" className="scroll-mt-20">
      <SectionHead
        heading={heading}
        title={t("notifications.phone.title")}
        action={
          verified &&
          !sentCode &&
          !changing && <Badge tone="valid">{t("notifications.phone.verified")}</Badge>
        }
      />
      <div className="p-5">
        {sentCode && (
          <CodeForm sentCode={sentCode} onChangeNumber={changeNumber} onVerified={showVerified} />
        )}
        {!sentCode && verified && !changing && (
          <VerifiedNumber phoneNumber={verified} onChange={() => setChanging(true)} />
        )}
        {!sentCode && (!verified || changing) && (
          <PhoneForm
            unverifiedNumber={verified ? null : phoneNumber}
            autoFocus={changing || isAsked}
            resendCountdown={resendCountdown}
            onHaveCode={(phoneNumber) =>
              setSentCode({ phoneNumber, resendCountdown: startCountdown(0) })
            }
            {...(verified && { onCancel: () => showVerified(false) })}
          />
        )}
      </div>
    </Card>
  )
}

function VerifiedNumber({ phoneNumber, onChange }: { phoneNumber: string; onChange: () => void }) {
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
