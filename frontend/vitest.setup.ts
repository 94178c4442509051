import "@testing-library/jest-dom/vitest"
import { cleanup, configure } from "@testing-library/react"
import { afterEach, beforeEach, expect, vi } from "vitest"

// Before anything asks for the reader's language.
window.localStorage.setItem("i18nextLng", "pl")

// What a test waits for may come late on a busy machine: a page is loaded when it is first shown.
configure({ asyncUtilTimeout: 4000 })

let complaints: unknown[][] = []

beforeEach(() => {
  complaints = []
  vi.spyOn(console, "error").mockImplementation((...words) => complaints.push(words))
})

afterEach(async () => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  const { queryClient } = await import("~/shared/query-client")
  queryClient.clear()
  expect(complaints, "React and the browser complain of nothing").toEqual([])
})
