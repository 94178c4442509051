import { afterEach, describe, expect, it, vi } from "vitest"
import { detectLanguage } from "./language"
import { pendingLanguageScript, revealInLanguage } from "./pending-language"

const isPending = () => "pendingLanguage" in document.documentElement.dataset

function openPage(stored: string | null, ...languages: string[]) {
  if (stored) window.localStorage.setItem("i18nextLng", stored)
  else window.localStorage.removeItem("i18nextLng")
  vi.spyOn(navigator, "languages", "get").mockReturnValue(languages)
  new Function(pendingLanguageScript)()
}

afterEach(() => {
  delete document.documentElement.dataset.pendingLanguage
  window.localStorage.setItem("i18nextLng", "pl")
})

describe("a prerendered Polish page", () => {
  it.each([
    [null, ["pl-PL", "en"], false],
    [null, ["en-GB", "pl"], true],
    [null, ["de", "EN-us"], true],
    [null, ["de"], false],
    ["pl", ["en"], false],
    ["en", ["pl"], true],
    ["xx", ["en"], true],
  ])("stored %s, browser %s: waits for English: %s", (stored, languages, waits) => {
    openPage(stored, ...languages)
    expect(isPending()).toBe(waits)
    expect(isPending()).toBe(detectLanguage() === "en")
  })

  it("is shown once it is in the visitor's language", () => {
    openPage(null, "en")
    revealInLanguage("pl")
    expect(isPending()).toBe(true)
    revealInLanguage("en")
    expect(isPending()).toBe(false)
  })
})
