import { useMutation } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import { useNavigate } from "react-router"
import { logout } from "~/api/sdk.gen"
import { errorMessage, isUnauthenticated } from "~/lib/error-messages"
import { changeSession, queryClient } from "~/lib/query-client"
import { clearSession, sessionQuery } from "~/lib/session"

/**
 * Ends the session and opens the login. The cache is cleared last: until then the old screen reads
 * it.
 */
export function useLogout() {
  const { t } = useTranslation()
  const navigate = useNavigate()

  const showLogin = async () => {
    queryClient.setQueryData(sessionQuery.queryKey, null)
    await navigate("/auth/login")
    clearSession()
  }

  return useMutation({
    mutationFn: () => changeSession(() => logout({ throwOnError: true })),
    meta: {
      failed: (error) =>
        isUnauthenticated(error) ? undefined : errorMessage(t, error, t("common.tryLater")),
      failedCall: t("common.menu.logoutFailed"),
    },
    onSuccess: showLogin,
    onError: (error) => (isUnauthenticated(error) ? showLogin() : undefined),
  })
}
