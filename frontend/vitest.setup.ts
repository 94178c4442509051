import "@testing-library/jest-dom/vitest"
import { cleanup, configure } from "@testing-library/react"
import { afterEach, beforeAll, beforeEach, expect, vi } from "vitest"

// As the server fills it in; modules read it when they are loaded.
document.head.innerHTML += '<meta name="contact" content="kontakt@prawko.test" />'

// jsdom has none; Radix asks for it when a toast is released.
Element.prototype.hasPointerCapture ??= () => false

// Node's channels reach the test files of other workers, which play other browsers.
const browser = crypto.randomUUID()
const { BroadcastChannel } = globalThis
globalThis.BroadcastChannel = class extends BroadcastChannel {
  constructor(name: string) {
    super(`${browser} ${name}`)
  }
}

// Before any module detects the language.
window.localStorage.setItem("i18nextLng", "pl")

// Lazily loaded pages may render late on a busy machine.
configure({ asyncUtilTimeout: 20_000 })

beforeAll(async () => (await import("~/lib/i18n")).loadLanguage())

let consoleErrors: unknown[][] = []

beforeEach(() => {
  consoleErrors = []
  vi.spyOn(console, "error").mockImplementation((...args) => consoleErrors.push(args))
})

afterEach(async () => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  const { queryClient } = await import("~/lib/query-client")
  queryClient.clear()
  const { clearToasts } = await import("~/lib/toasts")
  clearToasts()
  expect(consoleErrors, "nothing was written to console.error").toEqual([])
})

// jsdom has no layout: every query of the window's width is answered with no.
window.matchMedia ??= () => Object.assign(new EventTarget(), { matches: false }) as MediaQueryList
