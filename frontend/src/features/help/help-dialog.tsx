import { useTranslation } from "react-i18next"
import { useUser } from "~/hooks/use-user"
import { Dialog } from "~/ui/dialog"
import { useServerForm } from "~/ui/server-form"
import { Tabs } from "~/ui/tabs"
import { TicketForm, useSendTicket, vTicketForm } from "./ticket-form"
import { UserGuide } from "./user-guide"

type HelpDialogProps = { open: boolean; onClose: () => void }

/**
 * The help centre. It owns the contact form, so that a draft survives a look at the guide or the
 * panel.
 */
export function HelpDialog({ open, onClose }: HelpDialogProps) {
  const { t } = useTranslation()
  const { email, companyName } = useUser()
  const userInfo = { email, companyName }
  const sendTicket = useSendTicket()
  const ticket = useServerForm({
    schema: vTicketForm,
    defaultValues: { subject: "", message: "", website: "" },
    call: sendTicket,
    send: (fields) => sendTicket.mutateAsync({ body: { ...fields, userInfo } }),
    onSent: () => ticket.form.reset(),
    draft: "help.ticket",
  })

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
            content: <TicketForm ticket={ticket} sendTicket={sendTicket} />,
          },
        ]}
      />
    </Dialog>
  )
}
