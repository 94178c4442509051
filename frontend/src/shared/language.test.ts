import { beforeEach, describe, expect, it, vi } from "vitest"
import { detectLanguage, rememberLanguage } from "./language"

function browserAsksFor(...tags: string[]) {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(tags)
}

describe("the reader's language", () => {
  beforeEach(() => window.localStorage.clear())

  it("is the one chosen before, whatever the browser asks for", () => {
    browserAsksFor("en-GB")
    rememberLanguage("pl")
    expect(detectLanguage()).toBe("pl")
    expect(document.documentElement.lang).toBe("pl")
  })

  it("is the first one of the browser's that we speak", () => {
    browserAsksFor("de-DE", "en-US", "pl")
    expect(detectLanguage()).toBe("en")
  })

  it("is Polish when we speak none of them", () => {
    browserAsksFor("de", "fr-FR")
    expect(detectLanguage()).toBe("pl")
  })

  it("ignores a stored word it does not know", () => {
    window.localStorage.setItem("i18nextLng", "xx")
    browserAsksFor("en")
    expect(detectLanguage()).toBe("en")
  })
})
