import { fireEvent, screen } from "@testing-library/react"
import { describe, expect, it, vi } from "vitest"
import { renderScreen } from "~/testing/render"
import { browserLocation, useExternalRedirect } from "./use-external-redirect"

function RedirectButton({ url }: { url: string }) {
  const { redirect, redirecting } = useExternalRedirect()
  return (
    <button type="button" onClick={() => redirect(url)} aria-busy={redirecting}>
      go
    </button>
  )
}

async function followRedirect(url: string) {
  const assign = vi.spyOn(browserLocation, "assign").mockImplementation(() => {})
  const { person, router } = renderScreen(<RedirectButton url={url} />)
  await person.click(screen.getByRole("button"))
  return { assign, at: () => router.state.location }
}

describe("a redirect", () => {
  it.each([
    ["/panel/subscription?order=1"],
    [`${window.location.origin}/panel/subscription?order=1`],
  ])("to a screen of the panel, %s, uses the router", async (url) => {
    const { assign, at } = await followRedirect(url)
    expect(at().pathname + at().search).toBe("/panel/subscription?order=1")
    expect(assign).not.toHaveBeenCalled()
  })

  it.each([
    "https://pay.test/abc?x=1",
    `${window.location.origin}/dev/pay/0123`,
    "https://pay.test/panel/subscription",
  ])("to another page, %s, leaves the application", async (url) => {
    const { assign, at } = await followRedirect(url)
    expect(assign).toHaveBeenCalledWith(url)
    expect(at().pathname).toBe("/here")
    expect(screen.getByRole("button")).toHaveAttribute("aria-busy", "true")
  })

  it("can be repeated after the browser's back button", async () => {
    await followRedirect("https://pay.test/abc")
    fireEvent(window, new PageTransitionEvent("pageshow", { persisted: true }))
    expect(screen.getByRole("button")).toHaveAttribute("aria-busy", "false")
  })
})
