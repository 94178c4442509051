import { expect, it } from "vitest"
import { tieOneLetterWords, tieProse } from "./polish-line-ends"

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

it("changes the prose of a catalogue and leaves its labels alone", () => {
  const catalogue = {
    title: "Kto i kiedy",
    lead: "Rano i wieczorem",
    faq: [{ question: "Kto i kiedy?", answer: "My, w nocy" }],
    sections: [{ title: "Kto i kiedy", text: ["My, w nocy"] }],
    register: "Wypróbuj i kup",
  }
  const tied = JSON.stringify(tieProse(catalogue)).replaceAll("\u00a0", "~")
  expect(JSON.parse(tied)).toEqual({
    ...catalogue,
    lead: "Rano i~wieczorem",
    faq: [{ question: "Kto i~kiedy?", answer: "My, w~nocy" }],
    sections: [{ title: "Kto i kiedy", text: ["My, w~nocy"] }],
  })
})
