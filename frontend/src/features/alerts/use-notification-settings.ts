import { type MutationMeta, useMutation, useQuery } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import {
  listAlertRecipientsQueryKey,
  setNotificationSettingsMutation,
} from "~/api/@tanstack/react-query.gen"
import type { UserOut } from "~/api/types.gen"
import { useUser } from "~/hooks/use-user"
import { queryClient } from "~/lib/query-client"
import { sessionQuery } from "~/lib/session"
import { settingsSaved } from "./unsaved-choices"

/**
 * The signed-in user, refetched on mount: since the panel was opened the address may have been
 * suppressed, or the phone verified in another tab.
 */
export function useFreshUser(): UserOut {
  const sessionUser = useUser()
  return useQuery({ ...sessionQuery, refetchOnMount: "always" }).data ?? sessionUser
}

/** The same for other screens, where data up to a minute old is recent enough. */
export function useRecentUser(): UserOut {
  const sessionUser = useUser()
  return useQuery({ ...sessionQuery, staleTime: 60_000 }).data ?? sessionUser
}

export function updateCachedUser(changes: Partial<UserOut>): void {
  queryClient.setQueryData(sessionQuery.queryKey, (user) => (user ? { ...user, ...changes } : user))
}

/** The channels as they are stored. */
export function savedChannels(user: UserOut) {
  return {
    // A suppressed address receives nothing, whatever the stored setting says.
    emailEnabled: user.emailNotificationsEnabled && !user.emailProblem,
    // While a changed number waits for its code, the setting is kept although nothing is sent.
    smsEnabled: user.smsNotificationsEnabled,
  }
}

/** Switches the user's channels; `outcomes` are the toasts. */
export function useSaveChannels(outcomes?: MutationMeta) {
  const { t } = useTranslation()
  return useMutation({
    ...setNotificationSettingsMutation(),
    meta: outcomes ?? settingsSaved(t),
    onSuccess: async ({ emailEnabled, smsEnabled, ...rest }) => {
      updateCachedUser({
        ...rest,
        emailNotificationsEnabled: emailEnabled,
        smsNotificationsEnabled: smsEnabled,
      })
      await queryClient.invalidateQueries({ queryKey: listAlertRecipientsQueryKey() })
    },
  })
}
