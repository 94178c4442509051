import { screen, waitFor } from "@testing-library/react"
import { beforeEach, describe, expect, it, vi } from "vitest"
import type { DriverOut, NotificationOut, UserOut } from "~/api/types.gen"
import { queryClient } from "~/lib/query-client"
import Overview from "~/routes/overview"
import { activeSubscription, anna, driver, verified, withheld } from "~/testing/fixtures"
import { errorResponse, mockServer, type RecordedRequest } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { PanelShell } from "./panel-shell"

const poll = "GET /api/checks/version"
const heading = /^WYKRYTO KIEROWCĘ/
// The clock of these tests goes on while they wait: a longer wait would see the next poll.
const soon = { timeout: 9_000 }

let drivers: DriverOut[]
let notifications: NotificationOut[]
let version: string | undefined
let requests: RecordedRequest[]

function setVisibility(state: DocumentVisibilityState): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state)
  document.dispatchEvent(new Event("visibilitychange"))
  window.dispatchEvent(new Event("visibilitychange"))
}

const polls = () => requests.filter(({ endpoint }) => endpoint === poll).length

async function openDashboard(user: UserOut = anna): Promise<void> {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  requests = mockServer({
    "GET /api/drivers": () => ({ body: drivers }),
    "GET /api/subscription": { body: activeSubscription },
    "GET /api/notifications": () => ({ body: notifications }),
    "GET /api/checks/summary": {
      body: { oldestVerifiedAt: null, staleCount: 0, checkingStopped: false },
    },
    [poll]: () => (version ? { body: { version } } : errorResponse(503, "unavailable", "x")),
  })
  renderScreen(
    <PanelShell>
      <Overview />
    </PanelShell>,
    { user },
  )
  await screen.findByRole("heading", { name: "Aktywne uprawnienia" })
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
}

function withholdLicence(): void {
  drivers = drivers.map((one) => ({ ...one, status: "invalid", verifications: [withheld] }))
  version = "after"
}

beforeEach(() => {
  drivers = [driver("Jan", "Kowalski", verified())]
  notifications = []
  version = "before"
  return () => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  }
})

describe("an open panel", () => {
  it("turns red within 30 seconds, without a touch, when a licence is withheld", async () => {
    await openDashboard()
    expect(screen.queryByText(heading)).toBeNull()
    withholdLicence()
    await vi.advanceTimersByTimeAsync(21_000)
    expect(await screen.findByText(heading, undefined, soon)).toBeVisible()
    expect(
      screen.getByRole("heading", { name: "Zatrzymane uprawnienia" }).parentElement?.dataset
        .variant,
    ).toBe("red")
  })

  it("fills the bell in the menu as well, without a step to another screen", async () => {
    await openDashboard()
    expect(screen.queryByText(/nieprzeczytan/)).toBeNull()
    withholdLicence()
    notifications = [
      {
        id: "00000000-0000-7000-8000-0000000000b1",
        type: "driver_status",
        kind: "withheld",
        driverId: null,
        title: "Zatrzymane uprawnienia: Jan Kowalski",
        content: "",
        read: false,
        createdAt: "2026-11-22T05:10:00Z",
      },
    ]
    await vi.advanceTimersByTimeAsync(21_000)
    const [bell] = await screen.findAllByRole("link", { name: /^Powiadomienia/ })
    await waitFor(() => expect(bell).toHaveAccessibleName(/1/), soon)
  })

  it("refetches nothing while nothing has changed", async () => {
    await openDashboard()
    const before = requests.length - polls()
    await vi.advanceTimersByTimeAsync(100_000)
    expect(polls()).toBeGreaterThanOrEqual(5)
    expect(requests.length - polls()).toBe(before)
  })

  it("does not poll while it is hidden, and asks at once when it is shown", async () => {
    await openDashboard()
    setVisibility("hidden")
    const before = polls()
    withholdLicence()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(polls()).toBe(before)
    setVisibility("visible")
    expect(await screen.findByText(heading, undefined, soon)).toBeVisible()
  })

  it("asks when its window gets the focus", async () => {
    await openDashboard()
    withholdLicence()
    window.dispatchEvent(new Event("focus"))
    expect(await screen.findByText(heading, undefined, soon)).toBeVisible()
  })

  it("backs off while the server fails, and goes on afterwards", async () => {
    await openDashboard()
    version = undefined
    const before = polls()
    await vi.advanceTimersByTimeAsync(700_000)
    expect(polls() - before).toBeLessThan(12) // 35 without back-off
    withholdLicence()
    await vi.advanceTimersByTimeAsync(121_000)
    expect(await screen.findByText(heading)).toBeVisible()
  })

  it("asks as soon as there is a network again", async () => {
    await openDashboard()
    const before = polls()
    window.dispatchEvent(new Event("offline"))
    window.dispatchEvent(new Event("online"))
    // Long before the next poll.
    await waitFor(() => expect(polls()).toBe(before + 1), { timeout: 10_000 })
  })

  it.each([{ isAdmin: true }, { impersonator: { email: "olga@prawko.test", secondsLeft: 3600 } }])(
    "does not keep an operator's session alive: %o",
    async (changes) => {
      await openDashboard({ ...anna, ...changes })
      const before = polls()
      await vi.advanceTimersByTimeAsync(600_000)
      expect(polls()).toBe(before)
    },
  )
})

describe("a first check", () => {
  const answer = (one: DriverOut, found: DriverOut["verifications"][number]): DriverOut => ({
    ...one,
    status: found.status,
    verifications: [found],
  })

  it("tells its result in a toast within three seconds", async () => {
    drivers = [driver("Anna", "Nowak")]
    await openDashboard()
    drivers = drivers.map((one) => answer(one, verified()))
    version = "after"
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await screen.findByText("Anna Nowak: Wydany", undefined, soon)).toBeVisible()
    expect(screen.getByText(/^Dokument jest ważny do/)).toBeVisible()
  })

  it("tells of many when the last one is checked, of a withheld licence at once", async () => {
    drivers = ["Adam", "Beata", "Cezary"].map((name) => driver(name, "Nowak"))
    await openDashboard()
    drivers = drivers.map((one, index) => (index === 0 ? answer(one, verified()) : one))
    version = "first"
    await vi.advanceTimersByTimeAsync(3_000)
    expect(screen.queryByText(/Adam Nowak: /)).toBeNull()

    drivers = drivers.map((one, index) => (index === 1 ? answer(one, withheld) : one))
    version = "second"
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await screen.findByText("Beata Nowak: Zatrzymany", undefined, soon)).toBeVisible()

    drivers = drivers.map((one, index) => (index === 2 ? answer(one, verified()) : one))
    version = "third"
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await screen.findByText("Sprawdzono 3 kierowców", undefined, soon)).toBeVisible()
    expect(screen.getByText("Zatrzymane lub cofnięte: 1")).toBeVisible()
  })

  it("tells of several withheld licences at once how many have been checked", async () => {
    drivers = ["Adam", "Beata", "Cezary", "Daria"].map((name) => driver(name, "Nowak"))
    await openDashboard()
    drivers = drivers.map((one, index) => (index === 0 ? answer(one, verified()) : one))
    version = "first"
    await vi.advanceTimersByTimeAsync(3_000)
    drivers = drivers.map((one, index) => (index % 3 ? answer(one, withheld) : one))
    version = "second"
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await screen.findByText("Sprawdzono 3 kierowców", undefined, soon)).toBeVisible()
    expect(screen.getByText("Zatrzymane lub cofnięte: 2")).toBeVisible()
  })

  it("asks every two seconds for a minute, then less often, then no more", async () => {
    drivers = [driver("Anna", "Nowak")]
    await openDashboard()
    const before = polls()
    await vi.advanceTimersByTimeAsync(60_000)
    const inFirstMinute = polls() - before
    expect(inFirstMinute).toBeGreaterThan(20)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(polls() - before - inFirstMinute).toBeLessThan(10)
  })
})
