import { Box } from "@mui/material"
import { ResourceContextProvider, Title } from "react-admin"
import { UserList } from "../users/UserList.tsx"
import { Health } from "./Health.tsx"
import { StatCards } from "./StatCards.tsx"

/** The figures, whether all is well, and the users. */
export const Dashboard = () => (
  <Box sx={{ display: "grid", gap: 2.5, gridTemplateColumns: "minmax(0, 1fr)" }}>
    <StatCards />
    <Health />
    <ResourceContextProvider value="users">
      <UserList title={false} disableSyncWithLocation storeKey="dashboard.users" />
    </ResourceContextProvider>
    <Title title="console.dashboard.title" />
  </Box>
)
