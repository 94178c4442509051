import { beforeEach, describe, expect, it, vi } from "vitest"
import { detectLanguage, storeLanguage } from "./language"

function browserAsksFor(...tags: string[]) {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(tags)
}

describe("the user's language", () => {
  beforeEach(() => window.localStorage.clear())

  it("is the stored choice, whatever the browser prefers", () => {
    browserAsksFor("en-GB")
    storeLanguage("pl")
    expect(detectLanguage()).toBe("pl")
    expect(document.documentElement.lang).toBe("pl")
  })

  it("is the browser's first supported language", () => {
    browserAsksFor("de-DE", "en-US", "pl")
    expect(detectLanguage()).toBe("en")
  })

  it("is Polish when none is supported", () => {
    browserAsksFor("de", "fr-FR")
    expect(detectLanguage()).toBe("pl")
  })

  it("ignores an unknown stored value", () => {
    window.localStorage.setItem("i18nextLng", "xx")
    browserAsksFor("en")
    expect(detectLanguage()).toBe("en")
  })
})
