import { valibotResolver } from "@hookform/resolvers/valibot"
import { useForm } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { useFormDraft } from "~/hooks/use-draft"
import { Dialog } from "~/ui/dialog"
import { Tabs } from "~/ui/tabs"
import { TicketForm } from "./ticket-form"
import { emptyTicket, type TicketFields, vTicketForm } from "./ticket-schema"
import { useSendTicket } from "./use-ticket"
import { UserGuide } from "./user-guide"

type HelpDialogProps = { open: boolean; onClose: () => void }

/**
 * The help centre. It owns the contact form, so that a draft survives a look at the guide or the
 * panel.
 */
export function HelpDialog({ open, onClose }: HelpDialogProps) {
  const { t } = useTranslation()
  const sendTicket = useSendTicket()
  const form = useForm<TicketFields>({
    resolver: valibotResolver(vTicketForm),
    defaultValues: emptyTicket,
  })
  useFormDraft("help.ticket", form)

  const close = () => {
    onClose()
    if (!sendTicket.isPending) sendTicket.reset() // the result of the last message has been read
  }

  return (
    <Dialog open={open} onClose={close} title={t("help.title")} wide unpadded>
      <Tabs
        label={t("help.title")}
        tabs={[
          { value: "guide", label: t("help.guide"), content: <UserGuide /> },
          {
            value: "contact",
            label: t("help.contact.tab"),
            content: <TicketForm form={form} sendTicket={sendTicket} />,
          },
        ]}
      />
    </Dialog>
  )
}
