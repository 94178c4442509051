import { expect, it } from "vitest"
import { tieOneLetterWords } from "./polish-line-ends"

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
  ["tak albo nie", "tak albo nie"],
  ["plan A", "plan A"],
])("ties the one-letter words of %j to the next word", (text, tied) => {
  expect(tieOneLetterWords(text)).toBe(tied.replaceAll("~", "\u00a0"))
})
