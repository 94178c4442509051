import i18next from "i18next"
import { expect, it } from "vitest"
import { polish } from "./catalogues"

it.each([
  [0, "0 kierowców"],
  [1, "1 kierowca"],
  [2, "2 kierowcy"],
  [4, "4 kierowcy"],
  [5, "5 kierowców"],
  [12, "12 kierowców"],
  [22, "22 kierowcy"],
  [25, "25 kierowców"],
])("uses the Polish plural of %d driver(s)", async (count, words) => {
  const texts = i18next.createInstance()
  await texts.init({ lng: "pl", resources: { pl: { translation: polish } } })
  expect(texts.t("drivers.count", { count })).toBe(words)
})
