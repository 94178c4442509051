import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import { Link } from "react-router"
import { brand } from "~/shared/brand"
import { Card } from "~/ui/card"
import { Logo } from "~/ui/logo"
import { PageHeading } from "~/ui/page-heading"
import { AccountLanguageSwitch } from "./account-language-switch"

type AccountPageProps = { title: string; lead?: ReactNode; children: ReactNode; home?: boolean }

/** The frame of login, registration and e-mail verification: one card, nothing beside it. */
export function AccountPage({ title, lead, children, home = true }: AccountPageProps) {
  const { t } = useTranslation()
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex items-center justify-between gap-4 px-4 py-4 sm:px-8">
        {home ? (
          <Link to="/" aria-label={`${brand}, ${t("common.home")}`} className="rounded-md">
            <Logo />
          </Link>
        ) : (
          <Logo />
        )}
        <AccountLanguageSwitch />
      </header>
      <main className="mx-auto flex w-full max-w-md flex-1 flex-col px-4 pt-4 pb-16 sm:pt-[8vh]">
        <Card className="flex flex-col gap-6 p-5 sm:p-8">
          <PageHeading title={title}>{lead}</PageHeading>
          {children}
        </Card>
      </main>
    </div>
  )
}

export const linkLook =
  "font-semibold text-brand underline decoration-1 underline-offset-3 hover:text-brand-strong"
