import i18next from "i18next"
import { expect, it } from "vitest"
import { countDriversAs } from "./plurals"
import { catalogue as polish } from "./polish-catalogue"

it.each([
  [0, "0 kierowców"],
  [1, "1 kierowca"],
  [2, "2 kierowcy"],
  [4, "4 kierowcy"],
  [5, "5 kierowców"],
  [12, "12 kierowców"],
  [14, "14 kierowców"],
  [22, "22 kierowców"],
  [23, "23 kierowców"],
  [24, "24 kierowców"],
  [25, "25 kierowców"],
  [102, "102 kierowców"],
  [1004, "1004 kierowców"],
])("uses the Polish plural of %d driver(s)", async (count, words) => {
  const texts = i18next.createInstance()
  await texts.init({ lng: "pl", resources: { pl: { translation: polish } } })
  expect(texts.t("drivers.count", countDriversAs(count))).toBe(words)
})

it.each([
  ["subscription.driversUsed", "22 kierowców na liście"],
  ["dashboard.firstCheck.waiting", "22 kierowców czeka na pierwsze sprawdzenie"],
  ["dashboard.firstCheck.stopped", "22 kierowców nie było jeszcze sprawdzanych"],
  ["drivers.search.found", "Znaleziono 22 kierowców"],
] as const)("chooses the same form in %s", async (key, words) => {
  const texts = i18next.createInstance()
  await texts.init({ lng: "pl", resources: { pl: { translation: polish } } })
  expect(texts.t(key, countDriversAs(22))).toBe(words)
})

/** Of two to four persons alone: 22 of them take the form of five. */
const formsOfPersons = Object.entries(flatten(polish)).filter(
  ([key, text]) => key.endsWith("_few") && /\b(kierowcy|członkowie|użytkownicy)\b/.test(text),
)

it("has texts about two to four persons", () => expect(formsOfPersons).not.toEqual([]))

it.each(formsOfPersons)("%s is not chosen by the number that it shows", (_, text) => {
  expect(text).not.toContain("{{count}}")
})

function flatten(texts: object, prefix = ""): Record<string, string> {
  return Object.assign(
    {},
    ...Object.entries(texts).map(([key, value]) =>
      typeof value === "string" ? { [prefix + key]: value } : flatten(value, `${prefix}${key}.`),
    ),
  )
}
