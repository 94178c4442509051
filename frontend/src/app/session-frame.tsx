import { QueryClientProvider } from "@tanstack/react-query"
import { type ReactNode, useEffect } from "react"
import { I18nextProvider } from "react-i18next"
import { useNavigate } from "react-router"
import type { UserOut } from "~/api/types.gen"
import { writtenToIn } from "~/shared/api-client"
import { i18n } from "~/shared/i18n"
import { rememberMember } from "~/shared/membership"
import { onSessionEnd, queryClient } from "~/shared/query-client"
import { forgetSession, SessionProvider, sessionQuery } from "~/shared/session"
import { Toaster } from "~/ui/toaster"
import { clearToasts } from "~/ui/toasts"

/** What every screen with a session stands in: data, language, toasts, and the end of the session. */
export function SessionFrame({ user, children }: { user: UserOut | null; children: ReactNode }) {
  const navigate = useNavigate()

  useEffect(() => {
    rememberMember(user !== null)
    writtenToIn(user?.language ?? null)
    if (!user) return
    return onSessionEnd(() => {
      queryClient.setQueryData(sessionQuery.queryKey, null)
      void Promise.resolve(navigate("/auth/login", { state: { sessionEnded: true } })).then(() => {
        forgetSession()
        clearToasts() // what failed for want of a session needs no word of its own
      })
    })
  }, [user, navigate])

  return (
    <QueryClientProvider client={queryClient}>
      <I18nextProvider i18n={i18n}>
        <SessionProvider value={user}>
          {children}
          <Toaster />
        </SessionProvider>
      </I18nextProvider>
    </QueryClientProvider>
  )
}
