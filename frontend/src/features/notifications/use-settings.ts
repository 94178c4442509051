import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { setNotificationSettingsMutation } from "~/api/@tanstack/react-query.gen"
import type { UserOut } from "~/api/types.gen"
import { sessionQuery, useUser } from "~/shared/session"

/**
 * The signed-in user as the server has it now: an address may have been switched off, or the
 * phone verified in another window, since the panel was opened.
 */
export function useFreshUser(): UserOut {
  const known = useUser()
  return useQuery({ ...sessionQuery, refetchOnMount: "always" }).data ?? known
}

/** The same for screens that say it beside other things: known for a minute, it is recent enough. */
export function useRecentUser(): UserOut {
  const known = useUser()
  return useQuery({ ...sessionQuery, staleTime: 60_000 }).data ?? known
}

export function useSaveSettings() {
  const cache = useQueryClient()
  return useMutation({
    ...setNotificationSettingsMutation(),
    onSuccess: (saved) =>
      changeUser(cache, {
        emailNotificationsEnabled: saved.emailEnabled,
        smsNotificationsEnabled: saved.smsEnabled,
        phoneNumber: saved.phoneNumber,
        phoneVerified: saved.phoneVerified,
        emailProblem: saved.emailProblem,
      }),
  })
}

export function changeUser(cache: QueryClient, changes: Partial<UserOut>): void {
  cache.setQueryData(sessionQuery.queryKey, (user) => (user ? { ...user, ...changes } : user))
}
