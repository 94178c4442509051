import type { ReactNode } from "react"
import { useId } from "react"
import { useTranslation } from "react-i18next"
import { AccountOverview } from "~/features/accounts/account-overview"
import { AgreementDownload } from "~/features/accounts/agreement-download"
import { ChangePasswordForm } from "~/features/accounts/change-password-form"
import { CompanyErasure } from "~/features/accounts/company-erasure"
import { CompanyExport } from "~/features/accounts/company-export"
import { SecondFactorStatus } from "~/features/accounts/second-factor-status"
import { SessionList } from "~/features/accounts/session-list"
import { Card } from "~/ui/card"
import { PageHeading } from "~/ui/page-heading"

export default function Account() {
  const { t } = useTranslation()
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <PageHeading title={t("accounts.account.title")} />
      <AccountOverview />
      <Section title={t("accounts.change.title")} intro={t("accounts.change.lead")}>
        <div className="p-5">
          <ChangePasswordForm />
        </div>
      </Section>
      <Section title={t("accounts.secondFactor.title")} intro={t("accounts.secondFactor.lead")}>
        <div className="p-5">
          <SecondFactorStatus />
        </div>
      </Section>
      <Section title={t("accounts.sessions.list")} intro={t("accounts.sessions.lead")}>
        <SessionList />
      </Section>
      <Section title={t("accounts.export.title")}>
        <div className="p-5">
          <CompanyExport />
        </div>
        <div className="border-t border-line p-5">
          <AgreementDownload />
        </div>
      </Section>
      <Section title={t("accounts.erasure.heading")}>
        <div className="p-5">
          <CompanyErasure />
        </div>
      </Section>
    </div>
  )
}

type SectionProps = { title: string; intro?: string; children: ReactNode }

function Section({ title, intro, children }: SectionProps) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <Card>
        <div className="border-b border-line px-5 py-4">
          <h2 id={heading} className="text-lg">
            {title}
          </h2>
          {intro && <p className="text-sm text-ink-soft">{intro}</p>}
        </div>
        {children}
      </Card>
    </section>
  )
}
