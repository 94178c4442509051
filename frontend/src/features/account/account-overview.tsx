import { LogOut } from "lucide-react"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import { AccountLanguageSwitch } from "~/entities/user/account-language-switch"
import { useLogout } from "~/entities/user/use-logout"
import { useLanguage } from "~/hooks/use-language"
import { useUser } from "~/hooks/use-user"
import { chooseTheme, currentTheme, type Theme, themes } from "~/lib/theme"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { Select } from "~/ui/select"

export function AccountOverview() {
  const { t } = useTranslation()
  const { email, language } = useUser()
  const screenLanguage = useLanguage()
  const logout = useLogout()
  const [theme, setTheme] = useState(currentTheme)

  return (
    <Card className="divide-y divide-line">
      <div className="p-5">
        <h2 className="text-sm font-medium text-ink-soft">{t("accounts.account.email")}</h2>
        <p className="mt-0.5 text-lg wrap-anywhere">{email}</p>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-4 p-5">
        <div>
          <h2 className="text-base">{t("common.language")}</h2>
          <p className="text-sm text-ink-soft">{t("accounts.account.languageHint")}</p>
          {language !== screenLanguage && (
            <p className="text-sm font-medium">{t("accounts.account.languageDiffers")}</p>
          )}
        </div>
        <AccountLanguageSwitch />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-4 p-5">
        <div>
          <h2 className="text-base">{t("accounts.account.theme.title")}</h2>
          <p className="text-sm text-ink-soft">{t("accounts.account.theme.hint")}</p>
        </div>
        <Select
          aria-label={t("accounts.account.theme.title")}
          value={theme}
          onChange={({ target }) => {
            const chosen = target.value as Theme
            chooseTheme(chosen)
            setTheme(chosen)
          }}
        >
          {themes.map((one) => (
            <option key={one} value={one}>
              {t(`accounts.account.theme.${one}`)}
            </option>
          ))}
        </Select>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-4 p-5">
        <p className="text-sm text-ink-soft">{t("accounts.account.logoutHint")}</p>
        <Button
          variant="secondary"
          loading={logout.isPending}
          onClick={() => logout.mutate()}
          icon={LogOut}
        >
          {t("common.menu.logout")}
        </Button>
      </div>
    </Card>
  )
}
