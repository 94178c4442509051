import { useProductNow } from "~/hooks/use-product-now"
import { warsawDate } from "~/lib/dates"

/** Today in Warsaw by the product's clock; an open page follows it over midnight. */
export function useProductToday(): string {
  return warsawDate(useProductNow())
}
