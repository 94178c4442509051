import { screen, waitFor, within } from "@testing-library/react"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { MethodOut, QuoteOut, SubscriptionOut } from "~/api/types.gen"
import { browser } from "~/shared/leave"
import { formatMoney } from "~/shared/money"
import { periodPrice } from "~/shared/price"
import table from "~/shared/price-table.json"
import { type Answers, answering, refused } from "~/testing/answers"
import { active, details, none, openOrder, quoted } from "~/testing/people"
import { show } from "~/testing/screen"
import { clearToasts } from "~/ui/toasts"
import { OrderForm } from "./order-form"

const methods: MethodOut[] = [
  { method: "card", blikCode: false, renews: true },
  { method: "blik", blikCode: true, renews: false },
  { method: "przelewy24", blikCode: false, renews: false },
  { method: "transfer", blikCode: false, renews: false },
]
const newcomer: SubscriptionOut = { ...none, user: details }
const paying: SubscriptionOut = { ...active, driverLimit: 10, user: details }
const checkout = "POST /api/subscription/create-checkout-session"
const changeLimit = "POST /api/subscription/change-limit"
const orderId = "00000000-0000-7000-8000-0000000000f0"

/** Ten days are left of a period for ten drivers. */
function quoteInMidPeriod(driverLimit: number): QuoteOut {
  const period = { kind: "period" as const, days: null, ...periodPrice(driverLimit) }
  if (driverLimit === 10) return quoted(10)
  if (driverLimit < 10) {
    return quoted(driverLimit, {
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
  return quoted(driverLimit, {
    lines: [upgrade, period],
    ...both,
    change: { ...upgrade, from: "2026-11-21T08:00:00Z" },
  })
}

function open(subscription: SubscriptionOut, answers: Answers = {}, unsaved = false) {
  const left = vi.spyOn(browser, "open").mockImplementation(() => {})
  const asked = answering({
    "GET /api/payment-methods": { body: methods },
    "GET /api/subscription/quote": (_, query) => {
      const limit = Number(query.get("driverLimit"))
      return { body: subscription.status === "active" ? quoteInMidPeriod(limit) : quoted(limit) }
    },
    ...answers,
  })
  const shown = show(<OrderForm subscription={subscription} unsaved={unsaved} />)
  const sent = (call: string) => asked.filter((one) => one.call === call).map(({ body }) => body)
  return { ...shown, asked, left, sent }
}

const order = () => screen.getByRole("button", { name: "Zamów subskrypcję" })
const more = () => screen.getByRole("button", { name: "Więcej kierowców" })
const fewer = () => screen.getByRole("button", { name: "Mniej kierowców" })
const box = () => screen.getByLabelText("Liczba kierowców")
const summary = () => screen.getByRole("region", { name: "Podsumowanie" })
const plain = (element: HTMLElement) => (element.textContent ?? "").replaceAll("\u00a0", " ")
const method = (name: string) => screen.findByRole("radio", { name })

afterEach(clearToasts)

describe("choosing a plan", () => {
  it("begins with five drivers and shows subtotal, VAT and gross total", async () => {
    open(newcomer)
    expect(box()).toHaveValue("5")
    expect(fewer()).toBeDisabled()
    expect(plain(summary())).toContain("Razem netto149,00 zł")
    expect(plain(summary())).toContain("VAT 23%34,27 zł")
    expect(plain(summary())).toContain("Razem brutto183,27 zł")
    expect(await within(summary()).findByText("Dostęp do 21.12.2026")).toBeVisible()
  })

  it.each(table.filter(({ driverLimit }) => driverLimit % 5 === 0))(
    "shows the server's price before it is said: $driverLimit drivers",
    async (row) => {
      const { person } = open(newcomer, {
        "GET /api/subscription/quote": refused(503, "unavailable", "Chwilowo nie."),
      })
      await person.clear(box())
      await person.type(box(), String(row.driverLimit))
      const shown = within(summary()).getAllByRole("definition")
      expect(shown.map((amount) => amount.textContent)).toEqual(
        [row.net, row.net, row.vat, row.gross].map(formatMoney),
      )
    },
  )

  it("shows the price that the server says, if that is another", async () => {
    open(newcomer, {
      "GET /api/subscription/quote": {
        body: quoted(5, { net: 14901, vat: 3427, gross: 18328 }),
      },
    })
    await waitFor(() => expect(plain(summary())).toContain("Razem brutto183,28 zł"))
  })

  it("says the new price at once with every step", async () => {
    const { person } = open(newcomer)
    await person.click(more())
    expect(plain(summary())).toContain("Razem brutto244,77 zł")
    expect(within(summary()).getByRole("status")).toHaveTextContent("do 10 kierowców: 244,77")
  })

  it("begins with as many as there are drivers, and says why not with fewer", async () => {
    open({ ...newcomer, drivers: 12 })
    expect(box()).toHaveValue("15")
    expect(fewer()).toBeDisabled()
    expect(box()).toHaveAccessibleDescription(
      "Na liście masz 12 kierowców, więc limit to co najmniej 15.",
    )
  })

  it.each([
    ["0", "Minimum 5 kierowców"],
    ["20000", "Maksimum 10 000 kierowców"],
  ])("never sends %s drivers to a provider", async (typed, sentence) => {
    const { person, sent } = open(newcomer)
    await method("Karta płatnicza")
    await person.clear(box())
    await person.type(box(), typed)
    await person.tab()
    await person.click(order())
    expect(box()).toHaveAccessibleDescription(new RegExp(sentence))
    expect(box()).toHaveFocus()
    expect(sent(checkout)).toEqual([])
  })

  it("says clearly that the limit is below the drivers", async () => {
    const { person, sent } = open({ ...newcomer, drivers: 12 })
    await person.clear(box())
    await person.type(box(), "10{Enter}")
    expect(box()).toHaveAccessibleDescription(/Na liście masz więcej kierowców \(12\)/)
    await person.click(order())
    expect(sent(checkout)).toEqual([])
  })
})

describe("ordering", () => {
  it("leads to the provider's page, with the company and the chosen method", async () => {
    const { person, left, sent } = open(newcomer, {
      [checkout]: { body: { url: "https://pay.test/abc", orderId } },
    })
    await person.click(more())
    await person.click(await method("Przelewy24"))
    expect(screen.getByText(/nie odnawia się sama/)).toBeVisible()
    await person.click(order())
    await waitFor(() => expect(left).toHaveBeenCalledWith("https://pay.test/abc"))
    expect(sent(checkout)).toEqual([{ driverLimit: 10, ...details, method: "przelewy24" }])
    expect(order()).toHaveAttribute("aria-busy", "true")
  })

  it("takes the first method unless told, and says that its card is saved", async () => {
    const { person, sent } = open(newcomer, {
      [checkout]: { body: { url: "https://pay.test/abc", orderId } },
    })
    expect(await method("Karta płatnicza")).toBeChecked()
    expect(screen.getByText(/Zapamiętamy kartę/)).toBeVisible()
    await person.click(order())
    await waitFor(() => expect(sent(checkout)).toMatchObject([{ method: "card" }]))
  })

  it("asks for the six digits of a BLIK code, and goes on to a page of ours", async () => {
    const url = `${window.location.origin}/panel/subscription/success?order=${orderId}`
    const { person, left, sent, router } = open(newcomer, {
      [checkout]: { body: { url, orderId } },
    })
    await person.click(await method("BLIK"))
    await person.click(order())
    const code = screen.getByLabelText("Kod BLIK")
    expect(code).toHaveFocus()
    expect(code).toHaveAccessibleDescription(/Kod BLIK ma 6 cyfr/)
    await person.type(code, "123 456")
    await person.click(order())
    await waitFor(() => expect(router.state.location.pathname).toMatch(/success$/))
    expect(router.state.location.search).toBe(`?order=${orderId}`)
    expect(sent(checkout)).toMatchObject([{ method: "blik", blikCode: "123456" }])
    expect(left).not.toHaveBeenCalled()
  })

  it("needs the billing details first", async () => {
    const { person, sent } = open({ ...newcomer, user: { ...details, street: "" } })
    await method("BLIK")
    await person.click(order())
    const sentence = "Uzupełnij dane rozliczeniowe, zanim złożysz zamówienie."
    expect(await screen.findAllByText(sentence)).not.toHaveLength(0)
    expect(screen.getByText("Błąd!")).toBeVisible()
    expect(sent(checkout)).toEqual([])
  })

  it("needs them saved", async () => {
    const { person, sent } = open(newcomer, {}, true)
    await method("BLIK")
    await person.click(order())
    expect(await screen.findAllByText(/Zapisz zmiany/)).not.toHaveLength(0)
    expect(sent(checkout)).toEqual([])
  })

  it.each(["", "javascript:alert(1)"])("has come to nothing with the address %j", async (url) => {
    const { person, left } = open(newcomer, { [checkout]: { body: { url, orderId } } })
    await method("BLIK")
    await person.click(order())
    const form = screen.getByRole("form")
    expect(await within(form).findByRole("alert")).toHaveTextContent(
      "Błąd podczas tworzenia sesji płatności!",
    )
    expect(left).not.toHaveBeenCalled()
  })

  it("says the server's sentence, in the form as well", async () => {
    const { person } = open(newcomer, {
      [checkout]: refused(422, "payment_refused", "Bank odrzucił płatność."),
    })
    await method("BLIK")
    await person.click(order())
    expect(await within(screen.getByRole("form")).findByRole("alert")).toHaveTextContent(
      "Bank odrzucił płatność.",
    )
    expect(screen.getByText("Błąd!")).toBeVisible()
  })

  it("puts a refusal of the limit beside the limit", async () => {
    const { person } = open(newcomer, {
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
    await person.click(order())
    await waitFor(() => expect(box()).toHaveAccessibleDescription(/Za mało/))
  })
})

describe("the methods", () => {
  it("can be asked for again when they did not come", async () => {
    open(newcomer, { "GET /api/payment-methods": refused(503, "unavailable", "Chwilowo nie.") })
    expect(await screen.findByText("Nie udało się pobrać metod płatności")).toBeVisible()
    expect(screen.getByRole("button", { name: "Spróbuj ponownie" })).toBeVisible()
  })

  it("say so when there are none", async () => {
    open(newcomer, { "GET /api/payment-methods": { body: [] } })
    expect(await screen.findByText(/Płatności są chwilowo niedostępne/)).toBeVisible()
    expect(order()).toBeDisabled()
  })
})

describe("in the middle of a period", () => {
  it("30 more days can be ordered", async () => {
    const { person, sent } = open(paying, {
      [checkout]: { body: { url: "https://pay.test/abc", orderId } },
    })
    expect(await screen.findByText("Dostęp do 21.12.2026")).toBeVisible()
    await method("Karta płatnicza")
    await person.click(order())
    await waitFor(() => expect(sent(checkout)).toMatchObject([{ driverLimit: 10 }]))
  })

  it("a higher limit is paid for at once, for the days that are left", async () => {
    const { person, sent, left } = open(paying, {
      [changeLimit]: {
        body: { url: "https://pay.test/up", orderId, subscription: paying },
      },
    })
    await person.click(more())
    expect(await screen.findByRole("radio", { name: "Wyższy limit od razu" })).toBeChecked()
    await waitFor(() => expect(plain(summary())).toContain("Razem brutto20,50 zł"))
    await person.click(screen.getByRole("button", { name: "Podwyższ limit" }))
    await waitFor(() => expect(left).toHaveBeenCalledWith("https://pay.test/up"))
    expect(sent(changeLimit)).toEqual([{ driverLimit: 15, method: "card" }])
  })

  it("a saved card is charged without a method", async () => {
    const known = { ...paying, renews: true, mandateLabel: "Visa •••• 4242" }
    const { person, sent } = open(known, {
      [changeLimit]: {
        body: { url: null, orderId: null, subscription: { ...known, driverLimit: 15 } },
      },
    })
    await person.click(more())
    expect(await method("Zapisana metoda: Visa •••• 4242")).toBeChecked()
    await waitFor(() => expect(plain(summary())).toContain("20,50 zł"))
    await person.click(screen.getByRole("button", { name: "Podwyższ limit" }))
    expect(await screen.findByText("Limit kierowców podwyższony")).toBeVisible()
    expect(sent(changeLimit)).toEqual([{ driverLimit: 15 }])
  })

  it("a saved card whose bank has not answered yet is waited for", async () => {
    const known = { ...paying, renews: true, mandateLabel: "Visa •••• 4242" }
    const waiting = { ...openOrder, id: orderId, kind: "upgrade" as const, url: null }
    const { person, router } = open(known, {
      [changeLimit]: {
        body: { url: null, orderId, subscription: { ...known, openOrder: waiting } },
      },
    })
    await person.click(more())
    await waitFor(() => expect(plain(summary())).toContain("20,50 zł"))
    await person.click(screen.getByRole("button", { name: "Podwyższ limit" }))
    await waitFor(() => expect(router.state.location.pathname).toMatch(/success$/))
    expect(screen.queryByText("Limit kierowców podwyższony")).toBeNull()
  })

  it("a higher limit comes with 30 more days, too, as two lines", async () => {
    const { person, sent } = open(paying, {
      [checkout]: { body: { url: "https://pay.test/abc", orderId } },
    })
    await person.click(more())
    await person.click(await screen.findByRole("radio", { name: "Wyższy limit i kolejne 30 dni" }))
    await waitFor(() => expect(plain(summary())).toContain("Wyższy limit, 10 dni16,67 zł"))
    expect(plain(summary())).toContain("30 dni, do 15 kierowców249,00 zł")
    expect(plain(summary())).toContain("Razem brutto326,77 zł")
    await person.click(order())
    await waitFor(() => expect(sent(checkout)).toMatchObject([{ driverLimit: 15 }]))
  })

  it("a lower limit costs nothing now and begins with the next period", async () => {
    const { person, sent } = open(paying, {
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
    expect(sent(changeLimit)).toEqual([{ driverLimit: 5 }])
  })

  it("no price is shown that the server did not say", async () => {
    open(paying, { "GET /api/subscription/quote": refused(500, "server_error", "Błąd serwera.") })
    expect(await screen.findByText("Nie udało się obliczyć ceny")).toBeVisible()
    expect(screen.queryByText("Razem brutto")).toBeNull()
    expect(order()).toBeDisabled()
  })

  it("a lower limit that is planned already is not ordered twice", async () => {
    const planned = { ...paying, nextLimit: 5, nextLimitAt: paying.endDate }
    const { person, sent } = open(planned, {
      [checkout]: { body: { url: "https://pay.test/abc", orderId } },
    })
    expect(box()).toHaveValue("5")
    await waitFor(() => expect(plain(summary())).toContain("Limit do 5 kierowców od 21.12.2026"))
    expect(screen.queryByText("Co zamawiasz?")).toBeNull()
    await method("Karta płatnicza")
    await person.click(order())
    await waitFor(() => expect(sent(checkout)).toMatchObject([{ driverLimit: 5 }]))
  })

  it("a higher limit for which nothing is owed is had without a payment", async () => {
    const free = {
      kind: "upgrade" as const,
      net: 0,
      vat: 0,
      gross: 0,
      from: "2026-11-21T08:00:00Z",
    }
    const { person, sent } = open(
      { ...paying, driverLimit: 7 },
      {
        "GET /api/subscription/quote": { body: quoted(10, { change: free }) },
        [changeLimit]: {
          body: { url: null, orderId: null, subscription: { ...paying, driverLimit: 10 } },
        },
      },
    )
    expect(await screen.findByText("Teraz nic nie płacisz.")).toBeVisible()
    await person.click(screen.getByRole("button", { name: "Podwyższ limit" }))
    expect(await screen.findByText("Limit kierowców podwyższony")).toBeVisible()
    expect(sent(changeLimit)).toEqual([{ driverLimit: 10 }])
  })

  it("a limit that clashes with what is paid ahead is refused beside the number", async () => {
    const sentence = "Od 21.12.2026 masz opłacony inny limit."
    open(paying, {
      "GET /api/subscription/quote": {
        status: 422,
        body: {
          error: "invalid_driver_limit",
          message: sentence,
          fields: { driverLimit: sentence },
        },
      },
    })
    await waitFor(() => expect(box()).toHaveAccessibleDescription(new RegExp(sentence)))
    expect(screen.queryByText("Razem brutto")).toBeNull()
  })
})

describe("a subscription that an operator has suspended", () => {
  it("can have nothing ordered, and says why", async () => {
    open(newcomer, {
      "GET /api/subscription/quote": refused(
        409,
        "subscription_suspended",
        "Subskrypcja jest zawieszona. Napisz do nas.",
      ),
    })
    expect(await screen.findByText("Subskrypcja jest zawieszona. Napisz do nas.")).toBeVisible()
    expect(order()).toBeDisabled()
  })
})
