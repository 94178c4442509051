import { useTranslation } from "react-i18next"
import { AlertLink } from "~/features/alerts/alert-link"
import { AccountLayout } from "~/features/sign-in/account-layout"
import { useLinkToken } from "~/hooks/use-link-token"

/**
 * The target of the links in mails to persons without an account. Open to signed-in users, too: the
 * link may be opened anywhere.
 */
export default function AlertLinkPage() {
  const { t } = useTranslation()
  const token = useLinkToken()
  return (
    <AccountLayout title={t("notifications.alertLink.title")}>
      <AlertLink key={token} token={token} />
    </AccountLayout>
  )
}
