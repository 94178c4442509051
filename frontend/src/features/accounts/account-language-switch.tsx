import { useMutation } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import { useRevalidator } from "react-router"
import { setLanguageMutation } from "~/api/@tanstack/react-query.gen"
import type { UserOut } from "~/api/types.gen"
import { writtenToIn } from "~/shared/api-client"
import { changeLanguage } from "~/shared/i18n"
import type { Language } from "~/shared/language"
import { queryClient } from "~/shared/query-client"
import { sessionQuery, useMaybeUser } from "~/shared/session"
import { useLanguage } from "~/shared/use-language"
import { LanguageSwitch } from "~/ui/language-switch"
import { showToast } from "~/ui/toasts"

/** Switches the screens at once and, for an account, the language we write to it in. */
export function AccountLanguageSwitch({ onRail = false }: { onRail?: boolean }) {
  const { t, i18n } = useTranslation()
  const user = useMaybeUser()
  const { revalidate } = useRevalidator()
  const save = useMutation(setLanguageMutation())

  const choose = async (language: Language) => {
    await changeLanguage(language)
    if (!user) return
    save.mutate(
      { body: { language } },
      {
        onSuccess: (saved) => {
          writtenToIn(saved.language)
          queryClient.setQueryData<UserOut | null>(
            sessionQuery.queryKey,
            (was) => was && { ...was, language: saved.language },
          )
          void revalidate()
        },
        onError: () =>
          showToast({
            tone: "error",
            title: i18n.t("common.error"),
            description: i18n.t("accounts.account.languageFailed"),
          }),
      },
    )
  }

  return (
    <LanguageSwitch
      language={useLanguage()}
      onChange={(language) => void choose(language)}
      label={t("common.language")}
      onRail={onRail}
    />
  )
}
