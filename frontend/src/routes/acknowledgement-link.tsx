import { useTranslation } from "react-i18next"
import { AcknowledgementLink } from "~/features/alerts/acknowledgement-link"
import { AccountLayout } from "~/features/sign-in/account-layout"
import { useLinkToken } from "~/hooks/use-link-token"

/** The target of the links in alerts to members, for visitors and signed-in users alike. */
export default function AcknowledgementLinkPage() {
  const { t } = useTranslation()
  const token = useLinkToken({ kept: true })
  return (
    <AccountLayout title={t("notifications.acknowledgementLink.title")}>
      <AcknowledgementLink key={token} token={token} />
    </AccountLayout>
  )
}
