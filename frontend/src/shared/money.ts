/** Amounts as the product says them: zloty, written the Polish way in both languages. */

const amount = { style: "currency", currency: "PLN", useGrouping: "always" } as const
const zloty = new Intl.NumberFormat("pl-PL", amount)
const shortZloty = new Intl.NumberFormat("pl-PL", {
  ...amount,
  trailingZeroDisplay: "stripIfInteger",
})

/** 18327 grosze → "183,27 zł". */
export function formatMoney(grosze: number): string {
  return zloty.format(grosze / 100)
}

/** 14900 grosze → "149 zł", and 18327 → "183,27 zł": for prices in words and large letters. */
export function formatShortMoney(grosze: number): string {
  return shortZloty.format(grosze / 100)
}
