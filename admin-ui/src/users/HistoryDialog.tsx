import { Box, Dialog, DialogContent, Tab, Tabs, type Theme, useMediaQuery } from "@mui/material"
import { useId, useState } from "react"
import { useTranslate } from "react-admin"
import { ClosableTitle } from "../common/ClosableTitle.tsx"
import { useHeldLayout } from "../common/heldLayout.ts"
import { Loaded } from "../common/Loaded.tsx"
import { useRead } from "../common/useRead.ts"
import { ActivityTab } from "./ActivityTab.tsx"
import { SubscriptionsTab } from "./SubscriptionsTab.tsx"
import type { User, UserHistory } from "./User.ts"
import { VerificationsTab } from "./VerificationsTab.tsx"

const tabs = {
  activity: ActivityTab,
  subscriptions: SubscriptionsTab,
  verifications: VerificationsTab,
}
type TabName = keyof typeof tabs
// The same for every tab and page, and while they load.
const DIALOG_HEIGHT = 720

type HistoryDialogProps = { user: User; onClose: () => void }

/** The history of a user: activity, subscriptions and verifications, newest first. */
export function HistoryDialog({ user, onClose }: HistoryDialogProps) {
  const [tab, setTab] = useState<TabName>("activity")
  const isSmall = useMediaQuery<Theme>((theme) => theme.breakpoints.down("md"))
  const translate = useTranslate()
  const id = useId()
  const history = useRead<UserHistory>(`users/${encodeURIComponent(user.id)}/history`)
  const Content = tabs[tab]
  useHeldLayout()

  return (
    <Dialog
      open
      onClose={onClose}
      fullWidth
      fullScreen={isSmall}
      maxWidth="lg"
      aria-labelledby={`${id}-title`}
      slotProps={{ paper: { sx: { height: { md: DIALOG_HEIGHT } } } }}
    >
      <ClosableTitle id={`${id}-title`} onClose={onClose}>
        {translate("resources.users.history.title", { name: user.email })}
      </ClosableTitle>
      <Tabs
        value={tab}
        onChange={(_, name: TabName) => setTab(name)}
        variant="scrollable"
        allowScrollButtonsMobile
        aria-label={translate("resources.users.history.label")}
        sx={{ px: { xs: 1, md: 3 }, borderBottom: 1, borderColor: "divider" }}
      >
        {Object.keys(tabs).map((name) => (
          <Tab
            key={name}
            value={name}
            id={`${id}-${name}`}
            aria-controls={`${id}-panel`}
            label={translate(`resources.users.history.tabs.${name}`)}
          />
        ))}
      </Tabs>
      <DialogContent tabIndex={0} sx={{ px: { xs: 1, md: 3 } }}>
        <Box role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tab}`}>
          <Loaded query={history} height={360}>
            {(content) => <Content history={content} />}
          </Loaded>
        </Box>
      </DialogContent>
    </Dialog>
  )
}
