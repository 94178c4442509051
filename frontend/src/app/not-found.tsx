import { useTranslation } from "react-i18next"
import { brand } from "~/shared/brand"
import { ButtonLink } from "~/ui/button"

export function NotFound() {
  const { t } = useTranslation()
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg flex-col items-start justify-center gap-4 p-6">
      <title>{`${t("common.notFound.title")} – ${brand}`}</title>
      <h1 className="text-2xl">{t("common.notFound.title")}</h1>
      <p className="text-ink-soft">{t("common.notFound.text")}</p>
      <ButtonLink to="/panel">{t("common.notFound.back")}</ButtonLink>
    </main>
  )
}
