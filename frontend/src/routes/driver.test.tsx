import { QueryClientProvider } from "@tanstack/react-query"
import { render, screen, waitFor, within } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import { I18nextProvider } from "react-i18next"
import { createMemoryRouter, RouterProvider } from "react-router"
import { describe, expect, it, vi } from "vitest"
import type { DriverOut, StateChangeOut } from "~/api/types.gen"
import { stateSince } from "~/features/driver/state-since"
import { i18n } from "~/lib/i18n"
import { queryClient } from "~/lib/query-client"
import { SessionContext } from "~/lib/session"
import { activeSubscription, anna, driver, noSubscription, verified } from "~/testing/fixtures"
import { errorResponse, type MockResponses, mockServer } from "~/testing/mock-server"
import { Toaster } from "~/ui/toaster"
import Driver from "./driver"

const latest = verified({
  id: "00000000-0000-7000-8000-0000000000c1",
  status: "invalid",
  documentStatus: "Zatrzymany",
  reasons: [{ kod: null, wartosc: "24 punkty" }],
})
const jan: DriverOut = driver("Jan", "Kowalski", latest, { licenseNumber: "AA123456" })
const change = (changes: Partial<StateChangeOut> = {}): StateChangeOut => ({
  ...latest,
  licenseNumber: "AA123456",
  firstVerifiedAt: latest.verifiedAt,
  checks: 1,
  ...changes,
})
const path = `/api/drivers/${jan.id}`

function renderPage(responses: MockResponses = {}, start = [`/panel/drivers/${jan.id}`]) {
  const requests = mockServer({
    [`GET ${path}`]: { body: jan },
    [`GET ${path}/changes`]: { body: [change()] },
    [`GET ${path}/days`]: { body: [{ day: "2026-11-20", status: "invalid", checks: 1 }] },
    [`GET ${path}/notices`]: { body: [] },
    "GET /api/subscription": { body: activeSubscription },
    ...responses,
  })
  const wrap = (children: React.ReactNode) => (
    <QueryClientProvider client={queryClient}>
      <I18nextProvider i18n={i18n}>
        <SessionContext value={anna}>
          {children}
          <Toaster />
        </SessionContext>
      </I18nextProvider>
    </QueryClientProvider>
  )
  const router = createMemoryRouter(
    [
      { path: "/panel/drivers", element: wrap(<h1>lista</h1>) },
      { path: "/panel/drivers/:driverId", element: wrap(<Driver />) },
    ],
    { initialEntries: start },
  )
  render(<RouterProvider router={router} />)
  return { router, requests, person: userEvent.setup() }
}

const panel = () => screen.findByRole("dialog", { name: "Jan Kowalski" })

describe("the page of a driver", () => {
  it("says why a withheld licence is, and what to do", async () => {
    renderPage()
    const page = await panel()
    await within(page).findByText("24 punkty")
    expect(page).toHaveTextContent("nie powierzaj tej osobie kierowania pojazdem")
    expect(page).toHaveTextContent("Dokument zatrzymany: żadna kategoria teraz nie uprawnia.")
    expect(document.title).toMatch(/^Jan Kowalski – /)
  })

  it("returns to the list, with what was searched there", async () => {
    const { router, person } = renderPage({}, [`/panel/drivers/${jan.id}?q=Kow`])
    await panel()
    await person.click(screen.getByRole("button", { name: "Zamknij" }))
    await waitFor(() => expect(router.state.location.pathname).toBe("/panel/drivers"))
    expect(router.state.location.search).toBe("?q=Kow")
  })

  it("of an unknown or foreign id is not found", async () => {
    const { router, person } = renderPage({
      [`GET ${path}`]: errorResponse(404, "not_found", "Nie znaleziono."),
    })
    expect(await screen.findByRole("dialog", { name: "404 Page Not Found" })).toBeVisible()
    await person.click(screen.getByRole("link", { name: "Wróć do listy kierowców" }))
    await waitFor(() => expect(router.state.location.pathname).toBe("/panel/drivers"))
  })

  it("of a driver who was never checked waits, and confirms nothing", async () => {
    renderPage({
      [`GET ${path}`]: { body: { ...jan, status: "unknown", verifications: [] } },
      [`GET ${path}/changes`]: { body: [] },
      [`GET ${path}/days`]: { body: [] },
    })
    const page = await panel()
    expect(await within(page).findByText(/^Czeka na pierwsze sprawdzenie/)).toBeVisible()
    expect(within(page).queryByRole("button", { name: /potwierdzenie/ })).toBeNull()
    expect(await within(page).findByRole("img", { name: /bez sprawdzenia: 365/ })).toBeVisible()
  })

  it("can be read without a subscription, but not checked or edited", async () => {
    const { person } = renderPage({ "GET /api/subscription": { body: noSubscription } })
    const page = await panel()
    await waitFor(() =>
      expect(within(page).getByRole("button", { name: "Zweryfikuj teraz" })).toBeDisabled(),
    )
    await person.click(within(page).getByRole("button", { name: "Więcej" }))
    expect(screen.queryByRole("menuitem", { name: "Edytuj" })).toBeNull()
  })

  it("says what became of the messages about the driver", async () => {
    const notice = {
      id: "n1",
      kind: "withheld",
      title: "Zatrzymane uprawnienia",
      content: "",
      createdAt: "2026-11-20T05:05:00Z",
      deliveries: [
        { medium: "email", state: "delivered", count: 2 },
        { medium: "sms", state: "refused", count: 1 },
      ],
    }
    const old = { ...notice, id: "n2", createdAt: "2020-11-20T05:05:00Z", deliveries: [] }
    renderPage({ [`GET ${path}/notices`]: { body: [notice, old] } })
    const list = await screen.findByRole("region", { name: "Powiadomienia o kierowcy" })
    expect(await within(list).findByText("E-mail: doręczono (2)")).toBeVisible()
    expect(within(list).getByText("SMS: nie doręczono")).toBeVisible()
    expect(within(list).getByText(/danych o wysyłce już nie ma/)).toBeVisible()
  })

  it("confirms a period, whose days it checks first", async () => {
    URL.createObjectURL = () => "blob:x" // jsdom has none
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {})
    const asked: string[] = []
    const { person } = renderPage({
      [`GET ${path}/confirmation`]: (_, query) => {
        asked.push(`${query.get("from")} ${query.get("to")} ${query.get("lang")}`)
        return { body: "%PDF-" }
      },
    })
    await panel()
    await person.click(await screen.findByRole("button", { name: "Więcej" }))
    await person.click(await screen.findByRole("menuitem", { name: /^Potwierdzenie za okres/ }))
    const dialog = within(screen.getByRole("dialog", { name: "Potwierdzenie za okres" }))
    await person.clear(dialog.getByLabelText("Od dnia"))
    await person.type(dialog.getByLabelText("Od dnia"), "2026-10-05")
    await person.clear(dialog.getByLabelText("Do dnia"))
    await person.type(dialog.getByLabelText("Do dnia"), "2026-10-01")
    await person.click(dialog.getByRole("button", { name: "Pobierz PDF" }))
    expect(dialog.getByText("Ten dzień jest przed początkiem okresu")).toBeVisible()
    expect(asked).toEqual([])
    await person.clear(dialog.getByLabelText("Do dnia"))
    await person.type(dialog.getByLabelText("Do dnia"), "2026-10-31")
    await person.click(dialog.getByRole("button", { name: "Pobierz PDF" }))
    await waitFor(() => expect(asked).toEqual(["2026-10-05 2026-10-31 pl"]))
  })
})

describe("since when the state holds", () => {
  const valid = { status: "valid", documentStatus: "Wydany" } as const
  const at = (day: string) => ({ firstVerifiedAt: `${day}T05:00:00Z` })
  it.each([
    [[], true, undefined],
    [[change(at("2026-11-20"))], true, "2026-11-20T05:00:00Z"],
    [[change(at("2026-11-20"))], false, undefined],
    [
      [
        change(at("2026-11-20")),
        change(at("2026-11-10")),
        change({ ...valid, ...at("2026-01-01") }),
      ],
      false,
      "2026-11-10T05:00:00Z",
    ],
    [
      [change(at("2026-11-20")), change({ licenseNumber: "BB1", ...at("2026-11-10") })],
      true,
      "2026-11-20T05:00:00Z",
    ],
  ])("%#", (changes, areComplete, since) => {
    expect(stateSince(changes, areComplete)).toBe(since)
  })
})
