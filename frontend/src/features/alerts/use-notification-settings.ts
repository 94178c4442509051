import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
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

/** The channels as they are stored. */
export function savedChannels(user: UserOut): ChannelChoice {
  return {
    // A suppressed address receives nothing, whatever the stored setting says.
    emailEnabled: user.emailNotificationsEnabled && !user.emailProblem,
    // While a changed number waits for its code, the setting is kept although nothing is sent.
    smsEnabled: user.smsNotificationsEnabled,
  }
}

/** The turned switches without those that are as in `saved`. */
export function withoutSaved(
  turned: Partial<ChannelChoice>,
  saved: Partial<ChannelChoice>,
): Partial<ChannelChoice> {
  const entries = Object.entries(turned) as [keyof ChannelChoice, boolean][]
  return Object.fromEntries(entries.filter(([name, value]) => value !== saved[name]))
}

const unsavedKey = ["unsavedChannels"] as const

/**
 * The switches that were turned and not saved. They outlive the screen in the query cache, which the
 * end of the session clears; the screen's own state shows a turn at once.
 */
export function useTurnedChannels() {
  const [turned, setTurned] = useState(turnedChannels)
  const keep = (choice: Partial<ChannelChoice>) => {
    queryClient.setQueryDefaults(unsavedKey, { gcTime: Number.POSITIVE_INFINITY })
    queryClient.setQueryData(unsavedKey, choice)
    setTurned(choice)
  }
  return {
    turned,
    turn: (choice: Partial<ChannelChoice>) => {
      keep({ ...turnedChannels(), ...choice })
      window.addEventListener("beforeunload", askBeforeUnload) // added once, however often
    },
    /** Forgets those that were saved, but not one that was turned again meanwhile. */
    forget: (saved: Partial<ChannelChoice>) => keep(withoutSaved(turnedChannels(), saved)),
  }
}

function turnedChannels(): Partial<ChannelChoice> {
  return queryClient.getQueryData(unsavedKey) ?? {}
}

/** On every screen, because the switches stay turned there. */
function askBeforeUnload(event: BeforeUnloadEvent): void {
  const user = queryClient.getQueryData(sessionQuery.queryKey)
  const unsaved = user ? withoutSaved(turnedChannels(), savedChannels(user)) : {}
  if (Object.keys(unsaved).length > 0) event.preventDefault()
}
