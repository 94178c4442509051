import { warsawDate } from "~/lib/dates"
import { useProductNow } from "./use-product-now"

/** Today in Warsaw by the product's clock; an open page follows it over midnight. */
export function useProductToday(): string {
  return warsawDate(useProductNow())
}
