import { act, render, screen } from "@testing-library/react"
import { beforeEach, describe, expect, it, vi } from "vitest"
import DriverList from "~/routes/driver-list"
import { activeSubscription, anna, driver, verified } from "~/testing/fixtures"
import { mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { ErrorPage } from "./error-page"
import { PanelShell } from "./panel-shell"

function setOnline(online: boolean): void {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(online)
  act(() => void window.dispatchEvent(new Event(online ? "online" : "offline")))
}

beforeEach(() => () => vi.restoreAllMocks())

describe("a panel without a network", () => {
  it("says since when its data is the same, and stops saying it", async () => {
    vi.useFakeTimers({ now: Date.parse("2026-11-22T06:12:00+01:00"), shouldAdvanceTime: true })
    mockServer({
      "GET /api/drivers": { body: [driver("Jan", "Kowalski", verified())] },
      "GET /api/subscription": { body: activeSubscription },
      "GET /api/notifications": { body: [] },
      "GET /api/checks/version": { body: { version: "1" } },
      "GET /api/checks/summary": {
        body: { oldestVerifiedAt: null, staleCount: 0, checkingStopped: false },
      },
    })
    renderScreen(
      <PanelShell>
        <DriverList />
      </PanelShell>,
      { user: anna },
    )
    await screen.findByText("1 kierowca")
    expect(screen.queryByText("Nie masz połączenia z internetem")).toBeNull()

    vi.setSystemTime(Date.parse("2026-11-22T11:40:00+01:00"))
    setOnline(false)
    expect(screen.getByText("Nie masz połączenia z internetem")).toBeVisible()
    expect(screen.getByText(/^Pokazujemy dane z\s22\.11\.2026, 06:1\d/)).toBeVisible()

    setOnline(true)
    expect(screen.queryByText("Nie masz połączenia z internetem")).toBeNull()
  })

  it("says so before anything was fetched, too", () => {
    mockServer({ "GET /api/notifications": { body: [] } })
    renderScreen(
      <PanelShell>
        <p />
      </PanelShell>,
      { user: anna },
    )
    setOnline(false)
    expect(screen.getByText("Nie masz połączenia z internetem")).toBeVisible()
    expect(screen.queryByText(/^Pokazujemy dane z/)).toBeNull()
  })
})

describe("the error page", () => {
  it("does not blame us for a missing network, and retries when it is back", () => {
    setOnline(false)
    const retry = vi.fn()
    render(<ErrorPage onRetry={retry} />)
    expect(screen.getByRole("heading")).toHaveTextContent("Nie masz połączenia z internetem")
    expect(screen.queryByText(/po naszej stronie/)).toBeNull()

    setOnline(true)
    expect(retry).toHaveBeenCalledOnce()
    expect(screen.getByRole("heading")).toHaveTextContent("Nie udało się wczytać strony")
  })
})
