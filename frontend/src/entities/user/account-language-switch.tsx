import { useMutation } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import { useRevalidator } from "react-router"
import { setLanguageMutation } from "~/api/@tanstack/react-query.gen"
import type { UserOut } from "~/api/types.gen"
import { useLanguage } from "~/hooks/use-language"
import { useOptionalUser } from "~/hooks/use-user"
import { setAccountLanguage } from "~/lib/api-client"
import { refetchQueries } from "~/lib/cached-queries"
import { errorMessage } from "~/lib/error-messages"
import { changeLanguage } from "~/lib/i18n"
import type { Language } from "~/lib/language"
import { queryClient } from "~/lib/query-client"
import { sessionQuery } from "~/lib/session"
import { showToast } from "~/lib/toasts"
import { LanguageSwitch } from "~/ui/language-switch"

/** Switches the screens at once and, for a user, saves the language of the account's messages. */
export function AccountLanguageSwitch({ onSidebar = false }: { onSidebar?: boolean }) {
  const { t, i18n } = useTranslation()
  const user = useOptionalUser()
  const { revalidate } = useRevalidator()
  const save = useMutation({
    ...setLanguageMutation(),
    meta: { failed: () => i18n.t("accounts.account.languageFailed") },
  })

  const selectLanguage = async (language: Language) => {
    try {
      if (!(await changeLanguage(language))) return
    } catch (error) {
      const description = errorMessage(t, error, t("common.tryLater"))
      return showToast({ tone: "error", title: t("common.error"), description })
    }
    if (!user) return
    save.mutate(
      { body: { language } },
      {
        onSuccess: (saved) => {
          setAccountLanguage(saved.language)
          queryClient.setQueryData<UserOut | null>(
            sessionQuery.queryKey,
            (cached) => cached && { ...cached, language: saved.language },
          )
          void revalidate()
          // The server writes notices in the language of the account.
          void refetchQueries("notices")
        },
      },
    )
  }

  return (
    <LanguageSwitch
      language={useLanguage()}
      onChange={(language) => void selectLanguage(language)}
      label={t("common.language")}
      onSidebar={onSidebar}
    />
  )
}
