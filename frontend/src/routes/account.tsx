import { useTranslation } from "react-i18next"
import { AccountOverview } from "~/features/accounts/account-overview"
import { PageHeading } from "~/ui/page-heading"

export default function Account() {
  const { t } = useTranslation()
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <PageHeading title={t("accounts.account.title")} />
      <AccountOverview />
    </div>
  )
}
