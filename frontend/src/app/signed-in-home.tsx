import { useEffect } from "react"
import type { UserOut } from "~/api/types.gen"
import { DocumentAcceptance } from "~/features/accounts/document-acceptance"
import { EmailVerification } from "~/features/accounts/email-verification"
import { queryClient } from "~/lib/query-client"
import { sessionQuery } from "~/lib/session"
import Dashboard from "~/routes/dashboard"
import { PanelShell } from "./panel-shell"
import { SessionProviders } from "./session-providers"

/** Replaces `/` and the legal pages for signed-in users; loaded only for them. */
export default function SignedInHome({ user, page }: { user: UserOut; page: "home" | "legal" }) {
  useEffect(() => {
    queryClient.setQueryData(sessionQuery.queryKey, user) // saves the panel a second request
  }, [user])

  return (
    <SessionProviders user={user}>
      {!user.emailVerified && <EmailVerification email={user.email} />}
      {user.emailVerified && page === "home" && user.pendingDocuments.length > 0 && (
        <DocumentAcceptance documents={user.pendingDocuments} />
      )}
      {user.emailVerified && page === "home" && user.pendingDocuments.length === 0 && (
        <PanelShell>
          <Dashboard />
        </PanelShell>
      )}
    </SessionProviders>
  )
}
