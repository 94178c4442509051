import { expect, it } from "vitest"
import { tieWords } from "./line-ends"

it.each([
  ["Musi być w formacie", "Musi być w~formacie"],
  ["W tym i w owym", "W~tym i~w~owym"],
  [
    "<terms>Regulamin</terms> i <privacy>Politykę</privacy>",
    "<terms>Regulamin</terms> i~<privacy>Politykę</privacy>",
  ],
  ["wynik pochodzi z {{date}}.", "wynik pochodzi z~{{date}}."],
  ["WYKRYTO KIEROWCĘ Z ZATRZYMANYMI", "WYKRYTO KIEROWCĘ Z~ZATRZYMANYMI"],
  ["grupa A i B", "grupa A~i~B"],
  ["a o z u nas", "a~o~z~u~nas"],
  ["(w panelu) „Z listy”, <b>u nas</b>", "(w~panelu) „Z~listy”, <b>u~nas</b>"],
  ["tak albo nie", "tak albo nie"],
  ["plan A", "plan A"],
  ["Usunięto 4 kierowców", "Usunięto 4~kierowców"],
  ["{{count}} wierszy", "{{count}}~wierszy"],
  ["o 06:12 rano, 22.11.2026 po południu", "o~06:12 rano, 22.11.2026 po południu"],
  ["150 500 kierowców", "150 500~kierowców"],
])("ties %j", (text, tied) => {
  expect(tieWords(text)).toBe(tied.replaceAll("~", "\u00a0"))
})
