import { QueryClientProvider } from "@tanstack/react-query"
import { type ReactNode, useEffect } from "react"
import { I18nextProvider } from "react-i18next"
import { useLocation, useNavigate } from "react-router"
import { getUser } from "~/api/sdk.gen"
import type { UserOut } from "~/api/types.gen"
import { browserLocation } from "~/hooks/use-external-redirect"
import { setAccountLanguage, setRequestAccount } from "~/lib/api-client"
import { saveDrafts } from "~/lib/drafts"
import { i18n } from "~/lib/i18n"
import { loginPath } from "~/lib/next-path"
import { onSessionExpired, queryClient, reportExpiredSession } from "~/lib/query-client"
import { clearSession, onSessionAnnounced, SessionContext, sessionQuery } from "~/lib/session"
import { SignedInContext } from "~/lib/signed-in-context"
import { clearToasts } from "~/lib/toasts"
import { Toaster } from "~/ui/toaster"

type SessionProvidersProps = { user: UserOut | null; children: ReactNode }

/** The providers of the screens with a session: data, language, toasts and session expiry. */
export function SessionProviders({ user, children }: SessionProvidersProps) {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()

  useEffect(() => {
    setAccountLanguage(user?.language ?? null)
    setRequestAccount(user?.email ?? null)
    if (!user) return
    return onSessionExpired(({ isReplaced }) => {
      saveDrafts(user.email)
      queryClient.setQueryData(sessionQuery.queryKey, null)
      const login = pathname.startsWith("/panel") ? loginPath(pathname + search) : "/auth/login"
      const state = { sessionEnded: isReplaced ? "replaced" : "expired" }
      void Promise.resolve(navigate(login, { state })).then(() => {
        clearSession()
        clearToasts() // these errors only result from the expired session
        document.body.hidden = false
      })
    })
  }, [user, navigate, pathname, search])

  useEffect(() => {
    if (!user) return
    const compare = async () => {
      const { data, error } = await getUser()
      const isSame = data?.email === user.email && !data.impersonator === !user.impersonator
      const isReported = !data && reportExpiredSession(error)
      // Another user's rows must not stand under this user's name.
      if (!isSame && !isReported) browserLocation.assign("/panel")
      return isSame
    }
    // A page that the browser kept may be of a session that is over: only the same one is shown.
    const onPageShow = async ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      document.body.hidden = true
      if (await compare()) document.body.hidden = false
    }
    window.addEventListener("pageshow", onPageShow)
    const stop = onSessionAnnounced(compare)
    return () => {
      window.removeEventListener("pageshow", onPageShow)
      stop()
    }
  }, [user])

  return (
    <QueryClientProvider client={queryClient}>
      <I18nextProvider i18n={i18n}>
        <SessionContext value={user}>
          <SignedInContext value={user !== null}>{children}</SignedInContext>
          <Toaster />
        </SessionContext>
      </I18nextProvider>
    </QueryClientProvider>
  )
}
