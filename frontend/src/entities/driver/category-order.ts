/** Which of a document's categories a row of the list shows, and in which order. */

import type { CategoryOut } from "~/api/types.gen"
import { categoryKey, dateState } from "./expiry"
import { licenceCategories } from "./needed-categories"

/** The most that a row of the list has room for, one less beside the count of the others. */
const shownCategories = 5

const largestFirst = ["CE", "C", "DE", "D", "BE", "B", "A", "T", "C1E", "C1", "D1E", "D1"]

/** Once each, in the order of the licence card; of two dates of one category the first counts. */
export function orderCategories(categories: readonly CategoryOut[]): CategoryOut[] {
  const byKey = new Map<string, CategoryOut>()
  for (const category of categories) {
    const key = categoryKey(category.kategoria)
    const known = byKey.get(key)?.dataWaznosci
    const isEarlier = category.dataWaznosci && (!known || category.dataWaznosci < known)
    if (!byKey.has(key) || isEarlier) byKey.set(key, category)
  }
  const order = licenceCategories.map(categoryKey)
  const rank = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length)
  return [...byKey].sort(([a], [b]) => rank(a) - rank(b)).map(([, category]) => category)
}

/** The categories to show, in the same order: those expired or near, then the needed ones, then
 * those of the larger vehicles. */
export function chooseCategories(
  categories: readonly CategoryOut[],
  needed: readonly string[],
  today: string,
): CategoryOut[] {
  if (categories.length <= shownCategories) return [...categories]
  const isNeeded = (key: string) => needed.some((one) => categoryKey(one) === key)
  const size = (key: string) => largestFirst.indexOf(key) + 1 || largestFirst.length + 1
  const weight = ({ kategoria, dataWaznosci }: CategoryOut) => {
    const key = categoryKey(kategoria)
    if (dateState(dataWaznosci, today) !== "valid") return -2
    return isNeeded(key) ? -1 : size(key)
  }
  const room = shownCategories - 1
  const chosen = [...categories].sort((a, b) => weight(a) - weight(b)).slice(0, room)
  return categories.filter((one) => chosen.includes(one))
}
