import { screen, waitFor, within } from "@testing-library/react"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { MethodOut, QuoteOut, SubscriptionOut } from "~/api/types.gen"
import { browserLocation } from "~/hooks/use-external-redirect"
import { formatAmount } from "~/lib/money"
import { periodPrice } from "~/lib/price"
import priceTable from "~/lib/price-table.json"
import { clearToasts } from "~/lib/toasts"
import {
  activeSubscription,
  anna,
  billingDetails,
  noSubscription,
  openOrder,
  quoteFor,
} from "~/testing/fixtures"
import { errorResponse, type MockResponses, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { OrderForm } from "./order-form"

const methods: MethodOut[] = [
  { method: "card", blikCode: false, renews: true },
  { method: "blik", blikCode: true, renews: false },
  { method: "przelewy24", blikCode: false, renews: false },
  { method: "transfer", blikCode: false, renews: false },
]
const newcomer: SubscriptionOut = { ...noSubscription, user: billingDetails }
const paying: SubscriptionOut = { ...activeSubscription, driverLimit: 10, user: billingDetails }
const checkout = "POST /api/subscription/create-checkout-session"
const changeLimit = "POST /api/subscription/change-limit"
const orderId = "00000000-0000-7000-8000-0000000000f0"

/** Ten days are left of a paid period for ten drivers. */
function quoteInMidPeriod(driverLimit: number): QuoteOut {
  const period = { kind: "period" as const, days: null, ...periodPrice(driverLimit) }
  if (driverLimit === 10) return quoteFor(10)
  if (driverLimit < 10) {
    return quoteFor(driverLimit, {
      limitFrom: "2026-12-21T08:00:00Z",
      change: { kind: "downgrade", net: 0, vat: 0, gross: 0, from: "2026-12-21T08:00:00Z" },
    })
  }
  const upgrade = { kind: "upgrade" as const, days: 10, net: 1667, vat: 383, gross: 2050 }
  const both = {
    net: period.net + upgrade.net,
    vat: period.vat + upgrade.vat,
    gross: period.gross + upgrade.gross,
  }
  return quoteFor(driverLimit, {
    lines: [upgrade, period],
    ...both,
    change: { ...upgrade, from: "2026-11-21T08:00:00Z" },
  })
}

function renderOrderForm(
  subscription: SubscriptionOut,
  answers: MockResponses = {},
  unsaved = false,
  path = "/here",
  plannedDrivers: number | null = null,
) {
  const assign = vi.spyOn(browserLocation, "assign").mockImplementation(() => {})
  const requests = mockServer({
    "GET /api/payment-methods": { body: methods },
    "GET /api/subscription/quote": (_, query) => {
      const limit = Number(query.get("driverLimit"))
      return { body: subscription.status === "active" ? quoteInMidPeriod(limit) : quoteFor(limit) }
    },
    ...answers,
  })
  const rendered = renderScreen(
    <OrderForm subscription={subscription} unsavedDetails={unsaved} />,
    { path, user: { ...anna, plannedDrivers } },
  )
  const sentBodies = (call: string) =>
    requests.filter((one) => one.endpoint === call).map(({ body }) => body)
  return { ...rendered, requests, assign, sentBodies }
}

const submitButton = () =>
  screen.getByRole("button", { name: /^(Zamów subskrypcję|Przedłuż o 30 dni)/ })
const more = () => screen.getByRole("button", { name: "Więcej kierowców" })
const fewer = () => screen.getByRole("button", { name: "Mniej kierowców" })
const limitInput = () => screen.getByLabelText("Liczba kierowców")
const summary = () => screen.getByRole("region", { name: "Podsumowanie" })
const plainText = (element: HTMLElement) => (element.textContent ?? "").replaceAll("\u00a0", " ")
const pay = () => screen.findByRole("button", { name: /^Zapłać 20,50/ })
const method = (name: string) => screen.findByRole("radio", { name })

afterEach(clearToasts)

describe("choosing a plan", () => {
  it("starts with five drivers and shows subtotal, VAT and gross total", async () => {
    renderOrderForm(newcomer)
    expect(limitInput()).toHaveValue("5")
    expect(fewer()).toBeDisabled()
    expect(plainText(summary())).toContain("Razem netto149,00 zł")
    expect(plainText(summary())).toContain("VAT 23%34,27 zł")
    expect(plainText(summary())).toContain("Razem brutto183,27 zł")
    expect(await within(summary()).findByText("Dostęp do 21.12.2026")).toBeVisible()
  })

  it.each(priceTable.filter(({ driverLimit }) => driverLimit % 5 === 0))(
    "computes the server's price before the quote: $driverLimit drivers",
    async (row) => {
      const { person } = renderOrderForm(newcomer, {
        "GET /api/subscription/quote": errorResponse(503, "unavailable", "Chwilowo nie."),
      })
      await person.clear(limitInput())
      await person.type(limitInput(), String(row.driverLimit))
      const shown = within(summary()).getAllByRole("definition")
      expect(shown.map((amount) => amount.textContent)).toEqual(
        [row.net, row.net, row.vat, row.gross].map(formatAmount),
      )
    },
  )

  it("shows the server's quote if it differs", async () => {
    renderOrderForm(newcomer, {
      "GET /api/subscription/quote": {
        body: quoteFor(5, { net: 14901, vat: 3427, gross: 18328 }),
      },
    })
    await waitFor(() => expect(plainText(summary())).toContain("Razem brutto183,28 zł"))
  })

  it("updates the price at once with every step", async () => {
    const { person } = renderOrderForm(newcomer)
    await person.click(more())
    expect(plainText(summary())).toContain("Razem brutto244,77 zł")
    expect(within(summary()).getByRole("status")).toHaveTextContent("do 10 kierowców: 244,77")
  })

  it("starts with at least the number of drivers, and explains the minimum", async () => {
    renderOrderForm({ ...newcomer, drivers: 12 })
    expect(limitInput()).toHaveValue("15")
    expect(fewer()).toBeDisabled()
    expect(limitInput()).toHaveAccessibleDescription(
      "Na liście masz 12 kierowców, więc limit to co najmniej 15.",
    )
  })

  it.each([
    ["the number chosen before the sign-up", newcomer, 300, "300"],
    ["blocks of five", newcomer, 7, "10"],
    ["all drivers, though fewer were planned", { ...newcomer, drivers: 12 }, 10, "15"],
    [
      "the number planned before the trial",
      { ...newcomer, isTrial: true, driverLimit: 5 },
      300,
      "300",
    ],
    ["what is paid for, whatever was planned", paying, 300, "10"],
  ])("starts with %s", (_, subscription, planned, shown) => {
    renderOrderForm(subscription, {}, false, "/here", planned)
    expect(limitInput()).toHaveValue(shown)
  })

  it.each([
    ["0", "Minimum 5 kierowców"],
    ["20000", "Maksimum 10 000 kierowców"],
  ])("never sends %s drivers to a provider", async (typed, sentence) => {
    const { person, sentBodies } = renderOrderForm(newcomer)
    await method("Karta płatnicza")
    await person.clear(limitInput())
    await person.type(limitInput(), typed)
    await person.tab()
    await person.click(submitButton())
    expect(limitInput()).toHaveAccessibleDescription(new RegExp(sentence))
    expect(limitInput()).toHaveFocus()
    expect(sentBodies(checkout)).toEqual([])
  })

  it("keeps the summary in its place while a limit has no price", async () => {
    const { person } = renderOrderForm(newcomer)
    await person.clear(limitInput())
    await person.type(limitInput(), "20000")
    await person.tab()
    expect(plainText(summary())).toContain("Razem brutto–")
    expect(plainText(summary())).not.toContain("zł")
  })

  it("reports a limit below the number of drivers", async () => {
    const { person, sentBodies } = renderOrderForm({ ...newcomer, drivers: 12 })
    await person.clear(limitInput())
    await person.type(limitInput(), "10{Enter}")
    expect(limitInput()).toHaveAccessibleDescription(/Na liście masz więcej kierowców \(12\)/)
    await person.click(submitButton())
    expect(sentBodies(checkout)).toEqual([])
  })
})

describe("ordering", () => {
  it("redirects to the provider, with the company and the selected method", async () => {
    const { person, assign, sentBodies } = renderOrderForm(newcomer, {
      [checkout]: { body: { url: "https://pay.test/abc", orderId } },
    })
    await person.click(more())
    await person.click(await method("Przelewy24"))
    expect(screen.getByText(/nie odnawia się sama/)).toBeVisible()
    await person.click(submitButton())
    await waitFor(() => expect(assign).toHaveBeenCalledWith("https://pay.test/abc"))
    expect(sentBodies(checkout)).toEqual([
      { driverLimit: 10, ...billingDetails, method: "przelewy24" },
    ])
    expect(submitButton()).toHaveAttribute("aria-busy", "true")
  })

  it("defaults to the first method, and announces that the card is saved", async () => {
    const { person, sentBodies } = renderOrderForm(newcomer, {
      [checkout]: { body: { url: "https://pay.test/abc", orderId } },
    })
    expect(await method("Karta płatnicza")).toBeChecked()
    expect(screen.getByText(/Zapamiętamy kartę/)).toBeVisible()
    await person.click(submitButton())
    await waitFor(() => expect(sentBodies(checkout)).toMatchObject([{ method: "card" }]))
  })

  it("requires the six digits of a BLIK code, and redirects to a screen of the panel", async () => {
    const url = `${window.location.origin}/panel/subscription/success?order=${orderId}`
    const { person, assign, sentBodies, router } = renderOrderForm(newcomer, {
      [checkout]: { body: { url, orderId } },
    })
    await person.click(await method("BLIK"))
    await person.click(submitButton())
    const code = screen.getByLabelText("Kod BLIK")
    expect(code).toHaveFocus()
    expect(code).toHaveAccessibleDescription(/Kod BLIK ma 6 cyfr/)
    await person.type(code, "123 456")
    await person.click(submitButton())
    await waitFor(() => expect(router.state.location.pathname).toMatch(/success$/))
    expect(router.state.location.search).toBe(`?order=${orderId}`)
    expect(sentBodies(checkout)).toMatchObject([{ method: "blik", blikCode: "123456" }])
    expect(assign).not.toHaveBeenCalled()
  })

  it.each([
    ["?limit=20&method=blik", "20", "BLIK"],
    ["?limit=20&method=cash", "20", "Karta płatnicza"],
    ["?limit=-5&method=blik", "5", "BLIK"],
    ["?limit=5e99", "5", "Karta płatnicza"],
  ])("begins a retry at %s with what was ordered", async (search, limit, name) => {
    Element.prototype.scrollIntoView = vi.fn()
    renderOrderForm(newcomer, {}, false, `/here${search}`)
    expect(await method(name)).toBeChecked()
    expect(limitInput()).toHaveValue(limit)
  })

  it("needs the billing details first", async () => {
    const { person, sentBodies } = renderOrderForm({
      ...newcomer,
      user: { ...billingDetails, street: "" },
    })
    await method("BLIK")
    await person.click(submitButton())
    const sentence = "Uzupełnij dane rozliczeniowe, zanim złożysz zamówienie."
    expect(await screen.findAllByText(sentence)).not.toHaveLength(0)
    expect(screen.getByText("Błąd!")).toBeVisible()
    expect(sentBodies(checkout)).toEqual([])
  })

  it("needs the billing details before the BLIK code", async () => {
    const { person, sentBodies } = renderOrderForm({
      ...newcomer,
      user: { ...billingDetails, street: "" },
    })
    await person.click(await method("BLIK"))
    await person.click(submitButton())
    expect(await screen.findAllByText(/^Uzupełnij dane rozliczeniowe/)).toHaveLength(2)
    expect(screen.getByLabelText("Kod BLIK")).not.toHaveFocus()
    expect(screen.getByLabelText("Kod BLIK")).toHaveAccessibleDescription(/Kod BLIK ma 6 cyfr/)
    expect(sentBodies(checkout)).toEqual([])
  })

  it("marks a missing BLIK code when BLIK is selected after a failed attempt", async () => {
    const { person } = renderOrderForm({ ...newcomer, user: { ...billingDetails, street: "" } })
    await method("BLIK")
    await person.click(submitButton())
    await person.click(await method("BLIK"))
    const code = screen.getByLabelText("Kod BLIK")
    await waitFor(() => expect(code).toHaveAccessibleDescription(/Kod BLIK ma 6 cyfr/))
    await person.type(code, "123456")
    await waitFor(() => expect(code).not.toBeInvalid())
  })

  it("needs the billing details saved", async () => {
    const { person, sentBodies } = renderOrderForm(newcomer, {}, true)
    await method("BLIK")
    await person.click(submitButton())
    expect(await screen.findAllByText(/Zapisz zmiany/)).not.toHaveLength(0)
    expect(sentBodies(checkout)).toEqual([])
  })

  it.each(["", "javascript:alert(1)"])("fails with the payment URL %j", async (url) => {
    const { person, assign } = renderOrderForm(newcomer, { [checkout]: { body: { url, orderId } } })
    await method("BLIK")
    await person.click(submitButton())
    const form = screen.getByRole("form")
    expect(await within(form).findByRole("alert")).toHaveTextContent(
      "Błąd podczas tworzenia sesji płatności!",
    )
    expect(assign).not.toHaveBeenCalled()
  })

  it("shows the server's message, in the form as well", async () => {
    const { person } = renderOrderForm(newcomer, {
      [checkout]: errorResponse(422, "payment_refused", "Bank odrzucił płatność."),
    })
    await method("BLIK")
    await person.click(submitButton())
    expect(await within(screen.getByRole("form")).findByRole("alert")).toHaveTextContent(
      "Bank odrzucił płatność.",
    )
    expect(screen.getByText("Błąd!")).toBeVisible()
  })

  it("shows a rejected limit at its field", async () => {
    const { person } = renderOrderForm(newcomer, {
      [checkout]: {
        status: 422,
        body: {
          error: "invalid_driver_limit",
          message: "Za mało",
          fields: { driverLimit: "Za mało" },
        },
      },
    })
    await method("BLIK")
    await person.click(submitButton())
    await waitFor(() => expect(limitInput()).toHaveAccessibleDescription(/Za mało/))
  })
})

describe("the payment methods", () => {
  it("can be loaded again after an error", async () => {
    renderOrderForm(newcomer, {
      "GET /api/payment-methods": errorResponse(503, "unavailable", "Chwilowo nie."),
    })
    expect(await screen.findByText("Nie udało się pobrać metod płatności")).toBeVisible()
    expect(screen.getByRole("button", { name: "Spróbuj ponownie" })).toBeVisible()
  })

  it("show a notice when there are none", async () => {
    renderOrderForm(newcomer, { "GET /api/payment-methods": { body: [] } })
    expect(await screen.findByText(/Płatności są chwilowo niedostępne/)).toBeVisible()
    expect(submitButton()).toBeDisabled()
  })
})

describe("in the middle of a period", () => {
  it("30 more days can be ordered", async () => {
    const { person, sentBodies } = renderOrderForm(paying, {
      [checkout]: { body: { url: "https://pay.test/abc", orderId } },
    })
    expect(await screen.findByText("Dostęp do 21.12.2026")).toBeVisible()
    await method("Karta płatnicza")
    expect(submitButton()).toHaveTextContent("Przedłuż o 30 dni")
    await person.click(submitButton())
    await waitFor(() => expect(sentBodies(checkout)).toMatchObject([{ driverLimit: 10 }]))
  })

  it("a higher limit is paid for at once, for the days that are left", async () => {
    const { person, sentBodies, assign } = renderOrderForm(paying, {
      [changeLimit]: {
        body: { url: "https://pay.test/up", orderId, subscription: paying },
      },
    })
    await person.click(more())
    expect(await screen.findByRole("radio", { name: "Wyższy limit od razu" })).toBeChecked()
    await waitFor(() => expect(plainText(summary())).toContain("Razem brutto20,50 zł"))
    await person.click(screen.getByRole("button", { name: /^Podwyższ limit/ }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith("https://pay.test/up"))
    expect(sentBodies(changeLimit)).toEqual([{ driverLimit: 15, method: "card" }])
  })

  it("a saved card is charged without a method", async () => {
    const known = { ...paying, renews: true, mandateLabel: "Visa •••• 4242" }
    const { person, sentBodies } = renderOrderForm(known, {
      [changeLimit]: {
        body: { url: null, orderId: null, subscription: { ...known, driverLimit: 15 } },
      },
    })
    await person.click(more())
    expect(await method("Zapisana metoda: Visa •••• 4242")).toBeChecked()
    await waitFor(() => expect(plainText(summary())).toContain("20,50 zł"))
    await person.click(screen.getByRole("button", { name: /^Podwyższ limit/ }))
    await person.click(await pay())
    expect(await screen.findByText("Limit kierowców podwyższony")).toBeVisible()
    expect(sentBodies(changeLimit)).toEqual([{ driverLimit: 15 }])
  })

  it("a saved card is never charged by one click, whose button names the sum", async () => {
    const known = { ...paying, renews: true, mandateLabel: "Visa •••• 4242" }
    const { person, sentBodies } = renderOrderForm(known)
    await person.click(more())
    await waitFor(() => expect(plainText(summary())).toContain("20,50 zł"))
    const raise = screen.getByRole("button", { name: /^Podwyższ limit/ })
    expect(plainText(raise)).toBe("Podwyższ limit · 20,50 zł")
    await person.click(raise)
    const dialog = await screen.findByRole("alertdialog")
    expect(plainText(dialog)).toContain("Pobierzemy 20,50 zł brutto, od razu: Visa •••• 4242.")
    await person.click(within(dialog).getByRole("button", { name: "Anuluj" }))
    expect(screen.queryByRole("alertdialog")).toBeNull()
    expect(sentBodies(changeLimit)).toEqual([])
  })

  it("a saved card whose bank has not answered yet leads to the waiting screen", async () => {
    const known = { ...paying, renews: true, mandateLabel: "Visa •••• 4242" }
    const waiting = { ...openOrder, id: orderId, kind: "upgrade" as const, url: null }
    const { person, router } = renderOrderForm(known, {
      [changeLimit]: {
        body: { url: null, orderId, subscription: { ...known, openOrder: waiting } },
      },
    })
    await person.click(more())
    await waitFor(() => expect(plainText(summary())).toContain("20,50 zł"))
    await person.click(screen.getByRole("button", { name: /^Podwyższ limit/ }))
    await person.click(await pay())
    await waitFor(() => expect(router.state.location.pathname).toMatch(/success$/))
    expect(screen.queryByText("Limit kierowców podwyższony")).toBeNull()
  })

  it("a higher limit comes with 30 more days, too, as two lines", async () => {
    const { person, sentBodies } = renderOrderForm(paying, {
      [checkout]: { body: { url: "https://pay.test/abc", orderId } },
    })
    await person.click(more())
    await person.click(await screen.findByRole("radio", { name: "Wyższy limit i kolejne 30 dni" }))
    await waitFor(() => expect(plainText(summary())).toContain("Wyższy limit, 10 dni16,67 zł"))
    expect(plainText(summary())).toContain("30 dni, do 15 kierowców249,00 zł")
    expect(plainText(summary())).toContain("Razem brutto326,77 zł")
    await person.click(submitButton())
    await waitFor(() => expect(sentBodies(checkout)).toMatchObject([{ driverLimit: 15 }]))
  })

  it("a lower limit costs nothing now and begins with the next period", async () => {
    const { person, sentBodies } = renderOrderForm(paying, {
      [changeLimit]: {
        body: {
          url: null,
          orderId: null,
          subscription: { ...paying, nextLimit: 5, nextLimitAt: "2026-12-21T08:00:00Z" },
        },
      },
    })
    await person.click(fewer())
    expect(await screen.findByText("Teraz nic nie płacisz.")).toBeVisible()
    expect(screen.queryByText("Metoda płatności")).toBeNull()
    await person.click(screen.getByRole("button", { name: "Obniż limit" }))
    expect(await screen.findByText("Niższy limit obowiązuje od 21.12.2026")).toBeVisible()
    expect(sentBodies(changeLimit)).toEqual([{ driverLimit: 5 }])
  })

  it("no price is shown without the server's quote", async () => {
    renderOrderForm(paying, {
      "GET /api/subscription/quote": errorResponse(500, "server_error", "Błąd serwera."),
    })
    expect(await screen.findByText("Nie udało się obliczyć ceny")).toBeVisible()
    expect(screen.queryByText("Razem brutto")).toBeNull()
    expect(submitButton()).toBeDisabled()
  })

  it("a lower limit that is already scheduled is not ordered twice", async () => {
    const planned = { ...paying, nextLimit: 5, nextLimitAt: paying.endDate }
    const { person, sentBodies } = renderOrderForm(planned, {
      [checkout]: { body: { url: "https://pay.test/abc", orderId } },
    })
    expect(limitInput()).toHaveValue("5")
    await waitFor(() =>
      expect(plainText(summary())).toContain("Limit do 5 kierowców od 21.12.2026"),
    )
    expect(screen.queryByText("Co zamawiasz?")).toBeNull()
    await method("Karta płatnicza")
    await person.click(submitButton())
    await waitFor(() => expect(sentBodies(checkout)).toMatchObject([{ driverLimit: 5 }]))
  })

  it("a higher limit that costs nothing is applied without a payment", async () => {
    const free = {
      kind: "upgrade" as const,
      net: 0,
      vat: 0,
      gross: 0,
      from: "2026-11-21T08:00:00Z",
    }
    const { person, sentBodies } = renderOrderForm(
      { ...paying, driverLimit: 7 },
      {
        "GET /api/subscription/quote": { body: quoteFor(10, { change: free }) },
        [changeLimit]: {
          body: { url: null, orderId: null, subscription: { ...paying, driverLimit: 10 } },
        },
      },
    )
    expect(await screen.findByText("Teraz nic nie płacisz.")).toBeVisible()
    await person.click(screen.getByRole("button", { name: /^Podwyższ limit/ }))
    expect(await screen.findByText("Limit kierowców podwyższony")).toBeVisible()
    expect(sentBodies(changeLimit)).toEqual([{ driverLimit: 10 }])
  })

  it("a limit that conflicts with a prepaid period is rejected at its field", async () => {
    const sentence = "Od 21.12.2026 masz opłacony inny limit."
    renderOrderForm(paying, {
      "GET /api/subscription/quote": {
        status: 422,
        body: {
          error: "invalid_driver_limit",
          message: sentence,
          fields: { driverLimit: sentence },
        },
      },
    })
    await waitFor(() => expect(limitInput()).toHaveAccessibleDescription(new RegExp(sentence)))
    expect(screen.queryByText("Razem brutto")).toBeNull()
  })
})

describe("a subscription that an operator has suspended", () => {
  it("accepts no order, and shows the reason", async () => {
    renderOrderForm(newcomer, {
      "GET /api/subscription/quote": errorResponse(
        409,
        "subscription_suspended",
        "Subskrypcja jest zawieszona. Napisz do nas.",
      ),
    })
    expect(await screen.findByText("Subskrypcja jest zawieszona. Napisz do nas.")).toBeVisible()
    expect(submitButton()).toBeDisabled()
  })
})
