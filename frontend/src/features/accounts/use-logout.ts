import { useMutation } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import { useNavigate } from "react-router"
import { logout } from "~/api/sdk.gen"
import { isSignedOut, problemSentence } from "~/shared/problem"
import { queryClient } from "~/shared/query-client"
import { forgetSession, sessionQuery } from "~/shared/session"
import { showToast } from "~/ui/toasts"

/** Ends the session and goes to the login. The cache is emptied last: the old screen still reads it. */
export function useLogout() {
  const { t } = useTranslation()
  const navigate = useNavigate()

  const leave = async () => {
    queryClient.setQueryData(sessionQuery.queryKey, null)
    await navigate("/auth/login")
    forgetSession()
  }

  return useMutation({
    mutationFn: () => logout({ throwOnError: true }),
    onSuccess: leave,
    onError: (error) => {
      if (isSignedOut(error)) return leave()
      showToast({
        tone: "error",
        title: t("common.menu.logoutFailed"),
        description: problemSentence(t, error, t("common.tryLater")),
      })
    },
  })
}
