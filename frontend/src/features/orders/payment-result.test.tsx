import { act, screen, waitFor } from "@testing-library/react"
import { afterEach, describe, expect, it, vi } from "vitest"
import { activeSubscription, noSubscription, openOrder } from "~/testing/fixtures"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import PaymentFailed from "./payment-failed"
import PaymentSuccess from "./payment-success"

const order = `GET /api/orders/${openOrder.id}`
const pathWithOrder = `/here?order=${openOrder.id}`
const heading = (name: string) => screen.findByRole("heading", { level: 1, name })
const success = "Płatność zakończona sukcesem"

/** vi.waitFor moves the clock by its interval. */
const patience = { timeout: 20_000, interval: 1 }

/** Advances the clock and flushes what the timers cause. */
const advanceTime = (milliseconds: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(milliseconds)
  })

afterEach(() => vi.useRealTimers())

describe("the success page of an order", () => {
  it("waits until the order is paid, then opens the panel after five seconds", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let state = "open"
    const requests = mockServer({ [order]: () => ({ body: { ...openOrder, state } }) })
    const { router } = renderScreen(<PaymentSuccess />, { path: pathWithOrder })
    expect(await heading("Czekamy na potwierdzenie płatności")).toBeVisible()
    expect(screen.queryByText(/jest aktywna/)).toBeNull()
    await advanceTime(6000)
    expect(requests.length).toBeGreaterThan(2)
    expect(screen.queryByText(success)).toBeNull()
    vi.setTimerTickMode("manual") // from here on time is what the test says, however slow it is
    state = "paid"
    await advanceTime(2100)
    await vi.waitFor(() => screen.getByRole("heading", { level: 1, name: success }), patience)
    expect(screen.getByRole("heading", { level: 1, name: success })).toBeVisible()
    expect(screen.getByText("Twoja subskrypcja jest aktywna.")).toBeVisible()
    const answers = requests.filter(({ endpoint }) => endpoint === order).length
    await advanceTime(4500)
    expect(router.state.location.pathname).toBe("/here")
    await advanceTime(600)
    expect(router.state.location.pathname).toBe("/panel")
    expect(requests.filter(({ endpoint }) => endpoint === order)).toHaveLength(answers)
  })

  it("says after a minute that the page can be closed", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    mockServer({ [order]: { body: openOrder } })
    renderScreen(<PaymentSuccess />, { path: pathWithOrder })
    await heading("Czekamy na potwierdzenie płatności")
    await advanceTime(63_000)
    expect(screen.getByText(/Możesz zamknąć tę stronę/)).toBeVisible()
  })

  it.each(["failed", "expired", "void"])("redirects when it is %s", async (state) => {
    mockServer({ [order]: { body: { ...openOrder, state } } })
    const { router } = renderScreen(<PaymentSuccess />, { path: pathWithOrder })
    await waitFor(() => expect(router.state.location.pathname).toBe("/panel/subscription/failed"))
    expect(router.state.location.search).toBe(`?order=${openOrder.id}`)
  })

  it("reports an unknown order", async () => {
    mockServer({ [order]: errorResponse(404, "not_found", "Nie znaleziono.") })
    renderScreen(<PaymentSuccess />, { path: pathWithOrder })
    expect(await heading("Nie ma takiego zamówienia")).toBeVisible()
    expect(screen.getByRole("link", { name: "Wróć do subskrypcji" })).toBeVisible()
  })

  it("can be retried when the server did not respond", async () => {
    mockServer({ [order]: { status: 502, body: "<h1>Bad Gateway</h1>" } })
    const { person } = renderScreen(<PaymentSuccess />, { path: pathWithOrder })
    expect(await screen.findByText("Nie udało się sprawdzić płatności")).toBeVisible()
    mockServer({ [order]: { body: { ...openOrder, state: "paid" } } })
    await person.click(screen.getByRole("button", { name: "Spróbuj ponownie" }))
    expect(await heading(success)).toBeVisible()
  })

  it("reports a higher limit", async () => {
    mockServer({ [order]: { body: { ...openOrder, state: "paid", kind: "upgrade" } } })
    renderScreen(<PaymentSuccess />, { path: pathWithOrder })
    expect(await screen.findByText(/Wyższy limit kierowców już obowiązuje/)).toBeVisible()
  })

  it("asks to confirm a payment by BLIK code", async () => {
    mockServer({ [order]: { body: { ...openOrder, method: "blik", url: null } } })
    renderScreen(<PaymentSuccess />, { path: pathWithOrder })
    expect(await screen.findByText(/Potwierdź płatność w aplikacji banku/)).toBeVisible()
  })
})

describe("the success page without an order", () => {
  it.each([
    [activeSubscription, "Twoja subskrypcja jest aktywna."],
    [noSubscription, /gdy tylko operator płatności potwierdzi wpłatę/],
  ])("shows what the subscription says, and opens the panel", async (subscription, sentence) => {
    mockServer({ "GET /api/subscription": { body: subscription } })
    const { router, person } = renderScreen(<PaymentSuccess />)
    expect(await heading(success)).toBeVisible()
    expect(await screen.findByText(sentence)).toBeVisible()
    await person.click(screen.getByRole("button", { name: "Przejdź do panelu" }))
    expect(router.state.location.pathname).toBe("/panel")
  })
})

describe("the failure page", () => {
  it("reports the failure, and links to another attempt", async () => {
    renderScreen(<PaymentFailed />)
    expect(await heading("Payment Failed")).toBeVisible()
    expect(screen.getByText("Wystąpił problem podczas przetwarzania płatności")).toBeVisible()
    expect(screen.getByRole("link", { name: "Spróbuj ponownie" })).toHaveAttribute(
      "href",
      "/panel/subscription",
    )
  })

  it.each([
    ["failed", /Możesz spróbować ponownie/],
    ["expired", /Czas na zapłatę minął/],
    ["void", /nie było już ważne/],
  ])("explains what to do about a %s order", async (state, sentence) => {
    mockServer({ [order]: { body: { ...openOrder, state } } })
    renderScreen(<PaymentFailed />, { path: pathWithOrder })
    expect(await screen.findByText(sentence)).toBeVisible()
  })

  it("links the contact address, below a heading in English", async () => {
    mockServer({})
    renderScreen(<PaymentFailed />, { path: "/here" })
    expect(await heading("Payment Failed")).toHaveAttribute("lang", "en")
    const [link] =
      screen
        .getByText(/napisz do nas/)
        .closest("p")
        ?.getElementsByTagName("a") ?? []
    expect(link).toHaveAttribute("href", expect.stringMatching(/^mailto:/))
  })

  it("keeps the limit and the method for another try", async () => {
    const body = { ...openOrder, state: "failed", driverLimit: 20, method: "blik" }
    mockServer({ [order]: { body } })
    renderScreen(<PaymentFailed />, { path: pathWithOrder })
    await waitFor(() =>
      expect(screen.getByRole("link", { name: "Spróbuj ponownie" })).toHaveAttribute(
        "href",
        "/panel/subscription?limit=20&method=blik",
      ),
    )
  })

  it("redirects when the payment arrives late", async () => {
    mockServer({ [order]: { body: { ...openOrder, state: "paid" } } })
    const { router } = renderScreen(<PaymentFailed />, { path: pathWithOrder })
    await waitFor(() => expect(router.state.location.pathname).toBe("/panel/subscription/success"))
  })
})
