import { act, screen, waitFor } from "@testing-library/react"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { UserOut } from "~/api/types.gen"
import { browserLocation } from "~/hooks/use-external-redirect"
import { changeLanguage } from "~/lib/i18n"
import { anna } from "~/testing/fixtures"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { ImpersonationBanner } from "./impersonation-banner"

const inAnnasName: UserOut = {
  ...anna,
  impersonator: { email: "olga@prawko.test", secondsLeft: 3600 },
}

const banner = () => screen.findByRole("region", { name: "Praca na koncie klienta" })
const wayBack = () => screen.getByRole("button", { name: "Wróć do konsoli" })

function renderBanner(user: UserOut = inAnnasName) {
  return renderScreen(<ImpersonationBanner />, { user })
}

afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await changeLanguage("pl")
})

describe("the banner of an impersonation", () => {
  it("is not there for the user", () => {
    renderBanner(anna)
    expect(screen.queryByRole("button", { name: "Wróć do konsoli" })).toBeNull()
  })

  it("names the user, the operator and the time left", async () => {
    renderBanner()
    expect(await banner()).toHaveTextContent(
      "Pracujesz na koncie anna@acme.test jako operator olga@prawko.test. Pozostało 60 min.",
    )
  })

  it("speaks English, too", async () => {
    await changeLanguage("en")
    renderBanner()
    expect(await screen.findByRole("region", { name: /^Working/ })).toHaveTextContent(
      "You are working in the account of anna@acme.test as the operator olga@prawko.test. 60 min left.",
    )
  })

  it("counts down, and says when the time is over", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    renderBanner()
    await act(() => vi.advanceTimersByTimeAsync(18 * 60_000))
    expect(await banner()).toHaveTextContent("Pozostało 42 min.")
    await act(() => vi.advanceTimersByTimeAsync(42 * 60_000))
    expect(await banner()).toHaveTextContent("Czas minął.")
  })

  it.each([
    ["leads back to the console", { body: { ok: true } }],
    ["leads there after the session has ended as well", errorResponse(401, "auth_required", "x")],
  ])("%s", async (_, response) => {
    mockServer({ "POST /api/impersonation/leave": response })
    const assign = vi.spyOn(browserLocation, "assign").mockReturnValue()
    const { person } = renderBanner()
    await person.click(wayBack())
    await waitFor(() => expect(assign).toHaveBeenCalledWith("/admin/"))
  })

  it("stays when the way back fails", async () => {
    mockServer({ "POST /api/impersonation/leave": errorResponse(503, "unavailable", "x") })
    const assign = vi.spyOn(browserLocation, "assign").mockReturnValue()
    const { person } = renderBanner()
    await person.click(wayBack())
    expect(await screen.findByText("Nie udało się wrócić do konsoli")).toBeVisible()
    expect(assign).not.toHaveBeenCalled()
    expect(wayBack()).toBeEnabled()
  })
})
