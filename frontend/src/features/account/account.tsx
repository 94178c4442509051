import { type ReactNode, useId } from "react"
import { useTranslation } from "react-i18next"
import { Card } from "~/ui/card"
import { PageHeading } from "~/ui/page-heading"
import { SectionHead } from "~/ui/section-head"
import { AccountOverview } from "./account-overview"
import { ChangePasswordForm } from "./change-password-form"
import { CompanyErasure } from "./company-erasure"
import { AgreementDownload, CompanyExport } from "./downloads"
import { SecondFactorStatus } from "./second-factor-status"
import { SessionList } from "./session-list"

export default function Account() {
  const { t } = useTranslation()
  return (
    <div className="flex max-w-5xl flex-col gap-6">
      <PageHeading title={t("accounts.account.title")} />
      <AccountOverview />
      <Section title={t("accounts.change.title")} lead={t("accounts.change.lead")}>
        <div className="p-5">
          <ChangePasswordForm />
        </div>
      </Section>
      <Section title={t("accounts.secondFactor.title")} lead={t("accounts.secondFactor.lead")}>
        <div className="p-5">
          <SecondFactorStatus />
        </div>
      </Section>
      <Section title={t("accounts.sessions.list")} lead={t("accounts.sessions.lead")}>
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

type SectionProps = { title: string; lead?: string; children: ReactNode }

function Section({ title, lead, children }: SectionProps) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <Card>
        <SectionHead id={heading} title={title} lead={lead} />
        {children}
      </Card>
    </section>
  )
}
