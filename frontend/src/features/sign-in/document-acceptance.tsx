import { useMutation } from "@tanstack/react-query"
import { ExternalLink } from "lucide-react"
import { useTranslation } from "react-i18next"
import { useLocation, useNavigate, useRevalidator } from "react-router"
import { acceptDocumentsMutation } from "~/api/@tanstack/react-query.gen"
import type { PendingDocument } from "~/api/types.gen"
import { useLogout } from "~/entities/user/use-logout"
import { useLanguage } from "~/hooks/use-language"
import { formatCalendarDate } from "~/lib/dates"
import type { Language } from "~/lib/language"
import { clearSession } from "~/lib/session"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { LinkButton, linkStyles } from "~/ui/text-link"
import { AccountLayout } from "./account-layout"
import { sampleAgreement } from "./agreement-link"

function addressOf(document: PendingDocument["document"], language: Language): string {
  return document === "data_processing" ? sampleAgreement(language) : `/${document}`
}

/** Asks for the acceptance of changed legal documents, and names them. */
export function DocumentAcceptance({ documents }: { documents: PendingDocument[] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const { pathname } = useLocation()
  const logout = useLogout()

  const accept = useMutation({
    ...acceptDocumentsMutation(),
    onSuccess: () => {
      clearSession()
      return pathname === "/" ? navigate("/panel") : revalidate()
    },
  })

  return (
    <AccountLayout
      linkHome={false}
      title={t("accounts.acceptance.title")}
      intro={t("accounts.acceptance.lead")}
    >
      <ul aria-label={t("accounts.acceptance.list")} className="flex flex-col gap-3">
        {documents.map(({ document, version }) => (
          <li key={document} className="rounded-lg border border-line px-4 py-3">
            <a
              href={addressOf(document, language)}
              target="_blank"
              rel="noopener"
              className={linkStyles}
            >
              {t(`accounts.acceptance.${document}`)}{" "}
              <ExternalLink
                aria-label={t("accounts.acceptance.newTab")}
                className="inline size-4 align-[-0.125em]"
              />
            </a>
            <p className="text-sm text-ink-soft">
              {t("accounts.acceptance.version", { date: formatCalendarDate(version) })}
            </p>
          </li>
        ))}
      </ul>
      <ErrorAlert title={t("accounts.acceptance.failed")} error={accept.error} />
      <Button loading={accept.isPending} onClick={() => accept.mutate({ body: { documents } })}>
        {t("accounts.acceptance.submit")}
      </Button>
      <div className="flex flex-col items-start gap-3 text-sm">
        <p className="text-ink-soft">{t("accounts.acceptance.refuse")}</p>
        <LinkButton onClick={() => logout.mutate()} disabled={logout.isPending}>
          {t("accounts.acceptance.logout")}
        </LinkButton>
      </div>
    </AccountLayout>
  )
}
