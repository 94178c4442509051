import { act, screen, waitFor } from "@testing-library/react"
import { afterEach, describe, expect, it, vi } from "vitest"
import SubscriptionFailed from "~/routes/subscription-failed"
import SubscriptionSuccess from "~/routes/subscription-success"
import { answering, refused } from "~/testing/answers"
import { active, none, openOrder } from "~/testing/people"
import { show } from "~/testing/screen"

const order = `GET /api/orders/${openOrder.id}`
const here = `/here?order=${openOrder.id}`
const heading = (name: string) => screen.findByRole("heading", { level: 1, name })
const success = "Płatność zakończona sukcesem"

/** Lets so many milliseconds pass, and everything that they bring about. */
const pass = (milliseconds: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(milliseconds)
  })

afterEach(() => vi.useRealTimers())

describe("the success page of an order", () => {
  it("waits until the order is paid, then opens the panel after five seconds", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let state = "open"
    const asked = answering({ [order]: () => ({ body: { ...openOrder, state } }) })
    const { router } = show(<SubscriptionSuccess />, { path: here })
    expect(await heading("Czekamy na potwierdzenie płatności")).toBeVisible()
    expect(screen.queryByText(/jest aktywna/)).toBeNull()
    await pass(6000)
    expect(asked.length).toBeGreaterThan(2)
    expect(screen.queryByText(success)).toBeNull()
    state = "paid"
    await pass(2100)
    expect(await heading(success)).toBeVisible()
    expect(screen.getByText("Twoja subskrypcja jest aktywna.")).toBeVisible()
    const answers = asked.filter(({ call }) => call === order).length
    await pass(4500)
    expect(router.state.location.pathname).toBe("/here")
    await pass(600)
    expect(router.state.location.pathname).toBe("/panel")
    expect(asked.filter(({ call }) => call === order)).toHaveLength(answers)
  })

  it("says after a minute that it may be left", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    answering({ [order]: { body: openOrder } })
    show(<SubscriptionSuccess />, { path: here })
    await heading("Czekamy na potwierdzenie płatności")
    await pass(63_000)
    expect(screen.getByText(/Możesz zamknąć tę stronę/)).toBeVisible()
  })

  it.each(["failed", "expired", "void"])("leads on when it is %s", async (state) => {
    answering({ [order]: { body: { ...openOrder, state } } })
    const { router } = show(<SubscriptionSuccess />, { path: here })
    await waitFor(() => expect(router.state.location.pathname).toBe("/panel/subscription/failed"))
    expect(router.state.location.search).toBe(`?order=${openOrder.id}`)
  })

  it("knows no order of another company", async () => {
    answering({ [order]: refused(404, "not_found", "Nie znaleziono.") })
    show(<SubscriptionSuccess />, { path: here })
    expect(await heading("Nie ma takiego zamówienia")).toBeVisible()
    expect(screen.getByRole("link", { name: "Wróć do subskrypcji" })).toBeVisible()
  })

  it("can be asked again when the server did not answer", async () => {
    answering({ [order]: { status: 502, body: "<h1>Bad Gateway</h1>" } })
    const { person } = show(<SubscriptionSuccess />, { path: here })
    expect(await screen.findByText("Nie udało się sprawdzić płatności")).toBeVisible()
    answering({ [order]: { body: { ...openOrder, state: "paid" } } })
    await person.click(screen.getByRole("button", { name: "Spróbuj ponownie" }))
    expect(await heading(success)).toBeVisible()
  })

  it("tells of a higher limit", async () => {
    answering({ [order]: { body: { ...openOrder, state: "paid", kind: "upgrade" } } })
    show(<SubscriptionSuccess />, { path: here })
    expect(await screen.findByText(/Wyższy limit kierowców już obowiązuje/)).toBeVisible()
  })

  it("asks who pays by a BLIK code to confirm it", async () => {
    answering({ [order]: { body: { ...openOrder, method: "blik", url: null } } })
    show(<SubscriptionSuccess />, { path: here })
    expect(await screen.findByText(/Potwierdź płatność w aplikacji banku/)).toBeVisible()
  })
})

describe("the success page without an order", () => {
  it.each([
    [active, "Twoja subskrypcja jest aktywna."],
    [none, /gdy tylko operator płatności potwierdzi wpłatę/],
  ])("says no more than is known, and opens the panel", async (subscription, sentence) => {
    answering({ "GET /api/subscription": { body: subscription } })
    const { router, person } = show(<SubscriptionSuccess />)
    expect(await heading(success)).toBeVisible()
    expect(await screen.findByText(sentence)).toBeVisible()
    await person.click(screen.getByRole("button", { name: "Przejdź do panelu" }))
    expect(router.state.location.pathname).toBe("/panel")
  })
})

describe("the failure page", () => {
  it("says what happened, and leads back to try again", async () => {
    show(<SubscriptionFailed />)
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
  ])("says of a %s order what to do", async (state, sentence) => {
    answering({ [order]: { body: { ...openOrder, state } } })
    show(<SubscriptionFailed />, { path: here })
    expect(await screen.findByText(sentence)).toBeVisible()
  })

  it("gives way when the money came after all", async () => {
    answering({ [order]: { body: { ...openOrder, state: "paid" } } })
    const { router } = show(<SubscriptionFailed />, { path: here })
    await waitFor(() => expect(router.state.location.pathname).toBe("/panel/subscription/success"))
  })
})
