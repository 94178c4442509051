/** Amounts as the product says them: zloty, written the Polish way in both languages. */

const zloty = new Intl.NumberFormat("pl-PL", {
  style: "currency",
  currency: "PLN",
  useGrouping: "always",
})

/** 18327 grosze → "183,27 zł". */
export function formatMoney(grosze: number): string {
  return zloty.format(grosze / 100)
}
