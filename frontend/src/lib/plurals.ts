/**
 * Options of a text about a number of persons, whose noun in Polish is masculine personal: two to
 * four are "kierowcy", and 22 are "kierowców" as 5 are, while other nouns keep "22 kody". The form
 * is chosen by `count`, the text shows `{{drivers}}`.
 */
export function countDriversAs(drivers: number): { count: number; drivers: number } {
  return { count: Math.min(drivers, 5), drivers }
}
