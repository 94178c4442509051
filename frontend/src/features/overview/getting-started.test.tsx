import { screen, waitFor } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import type { UserOut } from "~/api/types.gen"
import { activeSubscription, anna, trialSubscription } from "~/testing/fixtures"
import { mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { GettingStarted } from "./getting-started"

const entry = (type: string) => ({
  id: "00000000-0000-7000-8000-0000000000aa",
  type,
  title: "t",
  content: "c",
  read: true,
  createdAt: "2026-11-21T08:00:00Z",
})

function renderCard(drivers: number, changes: Partial<UserOut> = {}, types: string[] = []) {
  const requests = mockServer({ "GET /api/notifications": { body: types.map(entry) } })
  renderScreen(<GettingStarted drivers={drivers} subscription={trialSubscription} />, {
    user: { ...anna, ...changes },
  })
  return requests
}

describe("the first steps of a trial", () => {
  it("link to what is left to do", async () => {
    renderCard(0)
    expect(await screen.findByRole("heading", { name: "Na dobry początek" })).toBeVisible()
    expect(screen.getByText("Okres próbny").closest("li")).toHaveTextContent(
      "Okres próbny – gotowe",
    )
    await screen.findByRole("link", { name: "Wyślij sobie próbny alert" })
    expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
      "/panel/drivers?add",
      "/panel/notifications",
      "/panel/notifications",
    ])
  })

  it("are ticked one by one", async () => {
    renderCard(2, { phoneVerified: true })
    const added = await screen.findByText(/^Dodaj kierowców \(2 z 5\)/)
    expect(added.closest("li")).toHaveTextContent("gotowe")
    expect(await screen.findAllByRole("link")).toHaveLength(1)
  })

  it("disappear when all are done", async () => {
    const requests = renderCard(2, { phoneVerified: true }, ["test_alert"])
    await waitFor(() => expect(requests).toHaveLength(1))
    expect(screen.queryByRole("heading")).toBeNull()
  })

  it("are not shown to who has a subscription", () => {
    mockServer({ "GET /api/notifications": { body: [] } })
    renderScreen(<GettingStarted drivers={0} subscription={activeSubscription} />, { user: anna })
    expect(screen.queryByRole("heading")).toBeNull()
  })
})
