import { valibotResolver } from "@hookform/resolvers/valibot"
import { useForm } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { Dialog } from "~/ui/dialog"
import { Tabs } from "~/ui/tabs"
import { Guide } from "./guide"
import { noTicket, type TicketFields, vTicketForm } from "./ticket"
import { TicketForm } from "./ticket-form"
import { useSendTicket } from "./use-ticket"

type HelpDialogProps = { open: boolean; onOpenChange: (open: boolean) => void }

/** The help centre. It keeps what was written to us while one looks at the guide or the panel. */
export function HelpDialog({ open, onOpenChange }: HelpDialogProps) {
  const { t } = useTranslation()
  const send = useSendTicket()
  const form = useForm<TicketFields>({
    resolver: valibotResolver(vTicketForm),
    defaultValues: noTicket,
  })

  const change = (opens: boolean) => {
    onOpenChange(opens)
    if (!opens && !send.isPending) send.reset() // what was said of the last message has been read
  }

  return (
    <Dialog open={open} onOpenChange={change} title={t("help.title")} wide bare>
      <Tabs
        label={t("help.title")}
        tabs={[
          { value: "guide", label: t("help.guide"), content: <Guide /> },
          {
            value: "contact",
            label: t("help.contact.tab"),
            content: <TicketForm form={form} send={send} />,
          },
        ]}
      />
    </Dialog>
  )
}
