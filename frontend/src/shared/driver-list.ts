import { useQuery } from "@tanstack/react-query"
import { listDriversOptions } from "~/api/@tanstack/react-query.gen"
import type { DriverOut } from "~/api/types.gen"

const checkedWithin = 15_000
const looksAtMost = 40

/**
 * The company's drivers, each with its latest verification.
 *
 * A new driver is checked within a minute or so; until then the list looks again by itself, in
 * the open tab only and not for ever, so that nobody has to reload to see the first result.
 */
export function useDriverList() {
  return useQuery({
    ...listDriversOptions({ query: { verifications: 1 } }),
    refetchInterval: ({ state }) =>
      state.status === "success" &&
      state.dataUpdateCount < looksAtMost &&
      state.data?.some(isWaiting)
        ? checkedWithin
        : false,
  })
}

/** Never checked, though it will be: the daily check leaves out who is over the limit. */
export function isWaiting(driver: DriverOut): boolean {
  return driver.verifications.length === 0 && !driver.overLimit && driver.staleSince === null
}

export function fullName({
  firstName,
  lastName,
}: Pick<DriverOut, "firstName" | "lastName">): string {
  return `${firstName} ${lastName}`
}
