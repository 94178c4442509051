import { useTranslation } from "react-i18next"
import { ButtonLink } from "~/ui/button-link"
import { PageHeading } from "~/ui/page-heading"
import { PanelShell } from "./panel-shell"

/** The 404 page of signed-in users, inside the panel, so that they can navigate on. */
export function NotFound() {
  const { t } = useTranslation()
  return (
    <PanelShell>
      <div className="flex flex-col items-start gap-5">
        <PageHeading title={t("common.notFound.title")} titleLang="en">
          <p>{t("common.notFound.text")}</p>
        </PageHeading>
        <ButtonLink to="/panel">{t("common.notFound.back")}</ButtonLink>
      </div>
    </PanelShell>
  )
}
