import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import { useLocation, useNavigate } from "react-router"
import { AlertLink } from "~/features/alerts/alert-link"
import { AccountLayout } from "~/features/sign-in/account-layout"

/**
 * The target of the links in mails to persons without an account. Open to signed-in users, too: the
 * link may be opened anywhere.
 */
export default function AlertLinkPage() {
  const { t } = useTranslation()
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const [token] = useState(() => new URLSearchParams(hash.slice(1)).get("token") ?? "")

  // The history keeps no token, and no Referer header has had one: it was in the fragment.
  useEffect(() => {
    if (hash) void navigate(pathname, { replace: true })
  }, [hash, pathname, navigate])

  return (
    <AccountLayout title={t("notifications.alertLink.title")}>
      <AlertLink token={token} />
    </AccountLayout>
  )
}
