import { type MutationMeta, useMutation } from "@tanstack/react-query"
import {
  checkDriverMutation,
  listChangesQueryKey,
  listVerificationsQueryKey,
} from "~/api/@tanstack/react-query.gen"
import { listChanges, listVerifications } from "~/api/sdk.gen"
import type { StateChangeOut } from "~/api/types.gen"
import { usePages } from "~/hooks/use-pages"
import { refetchQueries } from "~/lib/cached-queries"

const changesPerPage = 25
const checksPerPage = 100

/** The changes of one driver's answer, newest first, a page at a time. */
export function useChangeHistory(driverId: string) {
  const path = { driver_id: driverId }
  return usePages({
    queryKey: listChangesQueryKey({ path }),
    pageSize: changesPerPage,
    call: (query, options) => listChanges({ path, query, ...options }),
    // The daily check adds verifications while the panel is open.
    refetchOnMount: "always",
  })
}

/** The single verifications of a change, newest first, a page at a time. */
export function useChecksOf({ driverId, firstVerifiedAt, verifiedAt }: StateChangeOut) {
  const path = { driver_id: driverId }
  const span = { since: firstVerifiedAt, until: verifiedAt }
  return usePages({
    queryKey: listVerificationsQueryKey({ path, query: span }),
    pageSize: checksPerPage,
    call: (query, options) => listVerifications({ path, query: { ...span, ...query }, ...options }),
  })
}

/** Checks one driver manually; the list and the history show the result. */
export function useCheckDriver(driverId: string, outcomes: MutationMeta) {
  return useMutation({
    ...checkDriverMutation({ path: { driver_id: driverId } }),
    meta: outcomes,
    onSuccess: () => refetchQueries("drivers", "notices"),
  })
}
