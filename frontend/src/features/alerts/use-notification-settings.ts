import { skipToken, useQuery } from "@tanstack/react-query"
import type { UserOut } from "~/api/types.gen"
import { useUser } from "~/hooks/use-user"
import { queryClient } from "~/lib/query-client"
import { sessionQuery } from "~/lib/session"

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

export type ChannelChoice = { emailEnabled: boolean; smsEnabled: boolean }

const unsavedKey = ["unsavedChannels"] as const

/** The switches that were turned and not saved; in the query cache, for the session. */
export function useUnsavedChannels(): Partial<ChannelChoice> {
  const gcTime = Number.POSITIVE_INFINITY
  return useQuery({ queryKey: unsavedKey, queryFn: skipToken, gcTime }).data ?? {}
}

export function setUnsavedChannels(choice: Partial<ChannelChoice>): void {
  queryClient.setQueryData(unsavedKey, choice)
}
