import { useMutation } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import { getSubscriptionQueryKey, removeDriverMutation } from "~/api/@tanstack/react-query.gen"
import { addDriver, removeDrivers, setNeededCategories, updateDriver } from "~/api/sdk.gen"
import { refetchQueries } from "~/lib/cached-queries"
import { countDriversAs } from "~/lib/plurals"
import { queryClient } from "~/lib/query-client"
import { type DriverFields, driverErrorMessage } from "./driver-fields"

/** Awaited by the mutations, so that the list is up to date before the form closes. */
export async function refreshDriverQueries(): Promise<void> {
  // The subscription counts the drivers; the next screen that shows it refetches it.
  void queryClient.invalidateQueries({ queryKey: getSubscriptionQueryKey(), refetchType: "none" })
  await refetchQueries("drivers")
}

export function useAddDriver() {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: (driver: DriverFields) => addDriver({ body: driver, throwOnError: true }),
    meta: {
      done: t("drivers.form.added"),
      failed: (error) => driverErrorMessage(t, error, t("drivers.form.failed")),
    },
    onSuccess: refreshDriverQueries,
  })
}

export function useUpdateDriver(driverId: string) {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: (driver: DriverFields) =>
      updateDriver({ path: { driver_id: driverId }, body: driver, throwOnError: true }),
    meta: {
      done: t("drivers.form.updated"),
      failed: (error) => driverErrorMessage(t, error, t("drivers.form.updateFailed")),
    },
    onSuccess: refreshDriverQueries,
  })
}

export function useRemoveDriver() {
  const { t } = useTranslation()
  return useMutation({
    ...removeDriverMutation(),
    meta: { done: t("drivers.delete.done"), failed: () => t("drivers.delete.failed") },
    onSuccess: ({ id }) => {
      // The page of the removed driver would only learn that there is none.
      queryClient.removeQueries({
        predicate: ({ queryKey: [key] }) =>
          (key as { path?: { driver_id?: string } } | undefined)?.path?.driver_id === id,
      })
      return refreshDriverQueries()
    },
  })
}

/** How many chosen drivers the server takes at a time. */
export const maxChosen = 500

async function sumOfParts(
  ids: readonly string[],
  call: (part: string[]) => Promise<number>,
): Promise<number> {
  let sum = 0
  for (let start = 0; start < ids.length; start += maxChosen)
    sum += await call(ids.slice(start, start + maxChosen))
  return sum
}

export function useRemoveDrivers() {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: (chosen: readonly string[]) =>
      sumOfParts(
        chosen,
        async (ids) => (await removeDrivers({ body: { ids }, throwOnError: true })).data.removed,
      ),
    meta: {
      done: (removed: number) => t("drivers.selection.removed", countDriversAs(removed)),
    },
    onSettled: refreshDriverQueries,
  })
}

/** Replaces the needed categories of several drivers. */
export function useSetNeeded(chosen: readonly string[]) {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: (fields: Pick<DriverFields, "neededCategories">) =>
      sumOfParts(chosen, async (driverIds) => {
        const body = { driverIds, ...fields }
        return (await setNeededCategories({ body, throwOnError: true })).data.changed
      }),
    meta: {
      done: (changed: number) => t("drivers.selection.categoriesSaved", countDriversAs(changed)),
    },
    onSettled: refreshDriverQueries,
  })
}
