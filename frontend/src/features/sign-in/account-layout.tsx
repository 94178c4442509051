import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import { Link } from "react-router"
import { AccountLanguageSwitch } from "~/entities/user/account-language-switch"
import { brand } from "~/lib/brand"
import { Card } from "~/ui/card"
import { Logo } from "~/ui/logo"
import { PageHeading } from "~/ui/page-heading"

type AccountLayoutProps = {
  title: string
  intro?: ReactNode
  children: ReactNode
  linkHome?: boolean
}

/** The page of login, registration and e-mail verification: a single card. */
export function AccountLayout({ title, intro, children, linkHome = true }: AccountLayoutProps) {
  const { t } = useTranslation()
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-14 items-center justify-between gap-4 px-4 sm:px-8 lg:h-17 lg:px-6">
        {linkHome ? (
          <Link to="/" aria-label={`${brand}, ${t("common.home")}`} className="rounded-md">
            <Logo />
          </Link>
        ) : (
          <Logo />
        )}
        <AccountLanguageSwitch />
      </header>
      <main className="mx-auto flex w-full max-w-md flex-1 flex-col px-4 pt-4 pb-16 sm:pt-[4vh]">
        <Card className="flex flex-col gap-6 p-5 sm:p-8">
          <PageHeading title={title}>{intro}</PageHeading>
          {children}
        </Card>
      </main>
    </div>
  )
}
