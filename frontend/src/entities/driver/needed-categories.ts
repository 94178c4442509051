/**
 * The licence categories that the company needs of a driver (docs/rules.md R9a). One that the
 * document does not have, or whose day is over, means `no` (R9c), although the document is valid
 * (prawko.drivers.needed_categories decides the same on the server).
 */

import type { CategoryOut, DriverSummaryOut } from "~/api/types.gen"
import { categoryKey, dateState } from "./expiry"

type LicenceCategory = DriverSummaryOut["neededCategories"][number]

/** The categories of the law, in the order of the licence card. */
export const licenceCategories: readonly LicenceCategory[] = [
  "AM",
  "A1",
  "A2",
  "A",
  "B1",
  "B",
  "B+E",
  "C1",
  "C1+E",
  "C",
  "C+E",
  "D1",
  "D1+E",
  "D",
  "D+E",
  "T",
]

/** A needed category that does not entitle today; `expiredOn` is null if it is not listed. */
export type CategoryProblem = { category: LicenceCategory; expiredOn: string | null }

export function findCategoryProblems(
  needed: readonly LicenceCategory[],
  categories: readonly CategoryOut[],
  today: string,
): CategoryProblem[] {
  return needed.flatMap((category): CategoryProblem[] => {
    const listed = categories.filter((one) => categoryKey(one.kategoria) === categoryKey(category))
    if (listed.length === 0) return [{ category, expiredOn: null }]
    // Of several days the first one counts: the register contradicts itself.
    const [lastDay] = listed.flatMap(({ dataWaznosci }) => dataWaznosci ?? []).sort()
    return lastDay && dateState(lastDay, today) === "expired"
      ? [{ category, expiredOn: lastDay.slice(0, 10) }]
      : []
  })
}
