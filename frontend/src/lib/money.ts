/** Amounts in zloty, in Polish format in both languages. */

const currencyFormat = { style: "currency", currency: "PLN", useGrouping: "always" } as const
const fullFormat = new Intl.NumberFormat("pl-PL", currencyFormat)
const shortFormat = new Intl.NumberFormat("pl-PL", {
  ...currencyFormat,
  trailingZeroDisplay: "stripIfInteger",
})

/** 18327 grosze → "183,27 zł". */
export function formatAmount(grosze: number): string {
  return fullFormat.format(grosze / 100)
}

/** 14900 grosze → "149 zł", and 18327 → "183,27 zł": for running text and large figures. */
export function formatShortAmount(grosze: number): string {
  return shortFormat.format(grosze / 100)
}
