import { fireEvent, screen } from "@testing-library/react"
import { describe, expect, it, vi } from "vitest"
import { show } from "~/testing/screen"
import { browser, useLeave } from "./leave"

function Way({ url }: { url: string }) {
  const { leave, leaving } = useLeave()
  return (
    <button type="button" onClick={() => leave(url)} aria-busy={leaving}>
      go
    </button>
  )
}

async function go(url: string) {
  const left = vi.spyOn(browser, "open").mockImplementation(() => {})
  const { person, router } = show(<Way url={url} />)
  await person.click(screen.getByRole("button"))
  return { left, at: () => router.state.location }
}

describe("where the server leads", () => {
  it.each([
    ["/panel/subscription?order=1"],
    [`${window.location.origin}/panel/subscription?order=1`],
  ])("a screen of ours at %s is shown without a new page", async (url) => {
    const { left, at } = await go(url)
    expect(at().pathname + at().search).toBe("/panel/subscription?order=1")
    expect(left).not.toHaveBeenCalled()
  })

  it.each([
    "https://pay.test/abc?x=1",
    `${window.location.origin}/dev/pay/0123`,
    "https://pay.test/panel/subscription",
  ])("another page, as %s, takes the window over", async (url) => {
    const { left, at } = await go(url)
    expect(left).toHaveBeenCalledWith(url)
    expect(at().pathname).toBe("/here")
    expect(screen.getByRole("button")).toHaveAttribute("aria-busy", "true")
  })

  it("can be gone to again by who came back", async () => {
    await go("https://pay.test/abc")
    fireEvent(window, new PageTransitionEvent("pageshow", { persisted: true }))
    expect(screen.getByRole("button")).toHaveAttribute("aria-busy", "false")
  })
})
