import { useTranslation } from "react-i18next"
import { Dialog } from "~/ui/dialog"
import { Tabs } from "~/ui/tabs"
import { Guide } from "./guide"

type HelpDialogProps = { open: boolean; onOpenChange: (open: boolean) => void }

/** The help centre. */
export function HelpDialog({ open, onOpenChange }: HelpDialogProps) {
  const { t } = useTranslation()
  const guide = { value: "guide", label: t("help.guide"), content: <Guide /> }
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("help.title")} wide bare>
      <Tabs label={t("help.title")} tabs={[guide]} />
    </Dialog>
  )
}
