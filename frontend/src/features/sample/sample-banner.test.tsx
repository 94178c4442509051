import { render, screen } from "@testing-library/react"
import { createHashRouter, RouterProvider } from "react-router"
import { describe, expect, it, vi } from "vitest"
import { browserLocation } from "~/hooks/use-external-redirect"
import { renderScreen } from "~/testing/render"
import { LeaveSample, SampleBanner } from "./sample-banner"

describe("the sample", () => {
  it.each([
    ["#/auth/login", "/auth/login"],
    ["#//evil.test/x", "//evil.test/x"],
    ["#/\\evil.test/x", "//evil.test/x"],
    ["#@evil.test/x", "/@evil.test/x"],
  ])("is left at %s for a page of the same host", (hash, path) => {
    const assign = vi.spyOn(browserLocation, "assign").mockReturnValue()
    window.location.hash = hash
    render(<RouterProvider router={createHashRouter([{ path: "*", element: <LeaveSample /> }])} />)
    expect(assign.mock.calls.map(([url]) => new URL(url, window.location.href).href)).toEqual([
      window.location.origin + path,
    ])
  })

  it("says on paper that the data are samples", () => {
    renderScreen(<SampleBanner />)
    const isPrinted = (text: string | RegExp) => !screen.getByText(text).closest("[data-no-print]")
    expect(isPrinted("Dane przykładowe.")).toBe(true)
    expect([isPrinted("Załóż konto"), isPrinted(/nie może jechać/)]).toEqual([false, false])
  })
})
