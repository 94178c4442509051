import { useEffect } from "react"
import type { UserOut } from "~/api/types.gen"
import { VerifyEmail } from "~/features/accounts/verify-email"
import Dashboard from "~/routes/dashboard"
import { queryClient } from "~/shared/query-client"
import { sessionQuery } from "~/shared/session"
import { PanelShell } from "./panel-shell"
import { SessionFrame } from "./session-frame"

/** What `/` and the legal pages become for somebody with a session; loaded only for them. */
export default function SignedInHome({ user, page }: { user: UserOut; page: "home" | "legal" }) {
  useEffect(() => {
    queryClient.setQueryData(sessionQuery.queryKey, user) // the panel need not ask again
  }, [user])

  return (
    <SessionFrame user={user}>
      {!user.emailVerified && <VerifyEmail email={user.email} />}
      {user.emailVerified && page === "home" && (
        <PanelShell>
          <Dashboard />
        </PanelShell>
      )}
    </SessionFrame>
  )
}
