import { useMutation } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import { sendTicketMutation } from "~/api/@tanstack/react-query.gen"

export function useSendTicket() {
  const { t } = useTranslation()
  return useMutation({
    ...sendTicketMutation(),
    meta: { done: t("help.contact.sent"), failed: () => t("help.contact.failed") },
  })
}
