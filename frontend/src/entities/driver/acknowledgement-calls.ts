import { useMutation } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import { acknowledgeDriver, acknowledgeDrivers, withdrawAcknowledgement } from "~/api/sdk.gen"
import type { DriverSummaryOut } from "~/api/types.gen"
import { useIsImpersonated, useUser } from "~/hooks/use-user"
import { refetchQueries } from "~/lib/cached-queries"
import { fullName } from "./driver"

/**
 * Whether the user may acknowledge. An operator who impersonates a user may not: the entry names
 * its author.
 */
export function useMayAcknowledge(): boolean {
  return !useIsImpersonated()
}

/** Whether the driver has an episode that nobody has acknowledged. */
export function isOpen({ episode }: DriverSummaryOut): boolean {
  return episode !== null && !episode.acknowledgement
}

/** After an error, too: the driver's status may be another one by now. */
const refetchDrivers = () => refetchQueries("drivers", "notices")

type Entry = { driver_id: string; acknowledgement_id: string }

/** How many episodes the server acknowledges at a time. */
const maxAtOnce = 500

/** Says, with a note, that the drivers were taken off the road; the toast undoes what was stored. */
export function useAcknowledge(drivers: readonly DriverSummaryOut[]) {
  const { t } = useTranslation()
  const { email } = useUser()
  const withdraw = useWithdraw()
  const [only, ...others] = drivers
  return useMutation({
    mutationFn: async (note: string): Promise<Entry[]> => {
      // The server refuses where it is another episode by now.
      const episodes = drivers
        .slice(0, maxAtOnce)
        .map(({ id, episode }) => ({ driverId: id, since: episode?.since ?? "" }))
      if (only && others.length === 0) {
        const path = { driver_id: only.id }
        const body = { since: episodes[0]?.since ?? "", note }
        const { data } = await acknowledgeDriver({ path, body, throwOnError: true })
        const entry = data.episode?.acknowledgement
        // A colleague may have been faster.
        const isOwn = entry?.createdBy === email && entry.note === note
        return isOwn ? [{ ...path, acknowledgement_id: entry.id }] : []
      }
      const { data } = await acknowledgeDrivers({ body: { episodes, note }, throwOnError: true })
      return data.flatMap(({ driverId, result, acknowledgementId: id }) =>
        id && result === "acknowledged" ? { driver_id: driverId, acknowledgement_id: id } : [],
      )
    },
    meta: {
      done: (entries: Entry[]) => ({
        description:
          only && others.length === 0
            ? t("dashboard.queue.saved", { name: fullName(only) })
            : t("dashboard.queue.savedChosen", { saved: entries.length, total: drivers.length }),
        action:
          entries.length > 0
            ? { label: t("notifications.undo"), onUndo: () => withdraw.mutate(entries) }
            : undefined,
      }),
    },
    onSettled: refetchDrivers,
  })
}

/** How many calls an undo makes at a time: the server answers as many requests of a company. */
const maxCalls = 5

/** Undoes that, when it was a mistake. */
export function useWithdraw() {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: async (entries: readonly Entry[]) => {
      const results: PromiseSettledResult<unknown>[] = []
      for (let start = 0; start < entries.length; start += maxCalls) {
        const calls = entries
          .slice(start, start + maxCalls)
          .map((path) => withdrawAcknowledgement({ path, throwOnError: true }))
        // All of them: a colleague may have withdrawn one.
        results.push(...(await Promise.allSettled(calls)))
      }
      const failed = results.filter((one) => one.status === "rejected")
      // The reason of a call does not hold for those that were obeyed.
      if (failed[0])
        throw failed.length === results.length ? failed[0].reason : new Error("some entries stay")
    },
    meta: { done: t("dashboard.details.withdrawn"), failed: t("dashboard.details.withdrawFailed") },
    onSettled: refetchDrivers,
  })
}
