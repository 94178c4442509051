/** Groups of cached queries: each group is what one kind of change makes out of date. */

import type { Query } from "@tanstack/react-query"
import { queryClient } from "./query-client"

/** The operations of the API whose answers belong to a group. */
export const queryGroups = {
  /** The drivers: their list, its counts, and the page of each. */
  drivers: [
    "listDrivers",
    "getCheckSummary",
    "getDriver",
    "listChanges",
    "listCheckedDays",
    "listDriverNotices",
    "listVerifications",
  ],
  notices: ["listNotifications", "listDriverNotices"],
  subscription: ["getSubscription"],
  user: ["getUser"],
  invoices: ["listInvoices"],
  sessions: ["listSessions"],
} as const

type QueryGroup = keyof typeof queryGroups

/** Marks the groups as out of date and refetches those of their queries that are on the screen. */
export async function refetchQueries(...groups: QueryGroup[]): Promise<void> {
  const operations = new Set<unknown>(groups.flatMap((group) => [...queryGroups[group]]))
  const isChanged = ({ queryKey: [key] }: Query) =>
    operations.has((key as { _id?: string } | undefined)?._id)
  // A first answer that is under way may be older than the change, and would be taken for the new one.
  const isFirst = (query: Query) => query.state.data === undefined && isChanged(query)
  await queryClient.cancelQueries({ predicate: isFirst })
  await queryClient.invalidateQueries({ predicate: isChanged })
}
