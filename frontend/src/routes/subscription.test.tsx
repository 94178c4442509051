import { act, screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it, vi } from "vitest"
import {
  activeSubscription,
  anna,
  billingDetails,
  invoice,
  noSubscription,
  openOrder,
  quoteFor,
} from "~/testing/fixtures"
import { errorResponse, type MockResponses, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import Subscription from "./subscription"

const subscription = "GET /api/subscription"
const invoices = "GET /api/invoices"

function renderSubscription(answers: MockResponses) {
  const requests = mockServer({
    "GET /api/payment-methods": { body: [] },
    "GET /api/subscription/quote": (_, query) => ({
      body: quoteFor(Number(query.get("driverLimit"))),
    }),
    [invoices]: { body: [] },
    ...answers,
  })
  return { requests, ...renderScreen(<Subscription />, { user: anna }) }
}

const region = async (name: string) => {
  const heading = await screen.findByRole("heading", { level: 2, name })
  return within(heading.parentElement?.parentElement ?? heading)
}

describe("the subscription page", () => {
  it("offers no trial to a paying company", async () => {
    renderSubscription({
      [subscription]: { body: { ...activeSubscription, user: billingDetails } },
    })
    expect(await screen.findByRole("form", { name: "Zmień lub przedłuż plan" })).toBeVisible()
    expect(screen.queryByRole("heading", { name: "Wypróbuj za darmo" })).toBeNull()
  })

  it("saves the billing details that are typed with the order", async () => {
    const checkout = "POST /api/subscription/create-checkout-session"
    const saveDetails = "PUT /api/user/billing-details"
    let user = { ...noSubscription.user }
    Element.prototype.scrollIntoView = vi.fn() // jsdom has none
    const { person, requests } = renderSubscription({
      [subscription]: () => ({ body: { ...noSubscription, user } }),
      "GET /api/user": { body: anna },
      "GET /api/payment-methods": {
        body: [{ method: "transfer", blikCode: false, renews: false }],
      },
      [saveDetails]: (body) => {
        user = body as typeof user
        return { body }
      },
      [checkout]: { body: { url: "", orderId: openOrder.id } },
    })
    const order = await screen.findByRole("button", { name: /^Zamów subskrypcję · 183,27/ })
    await screen.findByRole("radio", { name: "Przelew tradycyjny" })
    await person.type(screen.getByLabelText("Nazwa firmy"), billingDetails.companyName)
    await person.click(order)
    expect(await screen.findAllByText(/^Uzupełnij dane/)).not.toHaveLength(0)
    expect(requests.map(({ endpoint }) => endpoint)).not.toContain(saveDetails)

    await person.type(screen.getByLabelText("NIP"), billingDetails.taxId)
    await person.type(screen.getByLabelText("Ulica i numer"), billingDetails.street)
    await person.type(screen.getByLabelText("Kod pocztowy"), billingDetails.postalCode)
    await person.type(screen.getByLabelText("Miasto"), billingDetails.city)
    await person.click(order)
    await waitFor(() =>
      expect(requests.find(({ endpoint }) => endpoint === checkout)?.body).toEqual({
        driverLimit: 5,
        ...billingDetails,
        method: "transfer",
      }),
    )
    expect(user).toEqual(billingDetails)
  })

  it("shows that it is loading", () => {
    vi.stubGlobal("fetch", () => new Promise(() => {}))
    renderScreen(<Subscription />, { user: anna })
    expect(screen.getByText("Wczytywanie subskrypcji…")).toBeVisible()
  })

  it("retries three times, then reports the failure", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { requests } = renderSubscription({
      [subscription]: errorResponse(500, "server_error", "Błąd serwera."),
    })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await screen.findByText("Nie udało się pobrać subskrypcji")).toBeVisible()
    expect(requests.filter(({ endpoint }) => endpoint === subscription)).toHaveLength(4)
    vi.useRealTimers()
  })

  it("shows a long company name and street in full", async () => {
    const long = {
      ...billingDetails,
      companyName: "Przedsiębiorstwo Wielobranżowe Konstantynopolitańczykowianeczka ".repeat(3),
      street: "ul. Generała Michała Karaszewicza-Tokarzewskiego 123B/45",
    }
    renderSubscription({ [subscription]: { body: { ...activeSubscription, user: long } } })
    expect(await screen.findByText(long.companyName.trim())).toBeVisible()
    expect(screen.getByText(long.street)).toBeVisible()
  })
})

describe("an open order", () => {
  const renderWithOrder = (changes: object) =>
    renderSubscription({
      [subscription]: { body: { ...noSubscription, openOrder: { ...openOrder, ...changes } } },
    })

  it("links to the provider", async () => {
    renderWithOrder({})
    const card = await region("Zamówienie czeka na płatność")
    expect(card.getByText(/183,27 zł brutto · Karta płatnicza/)).toBeVisible()
    expect(card.getByRole("button", { name: "Dokończ płatność" })).toBeVisible()
  })

  it("by transfer shows the transfer details, each with a copy button", async () => {
    const { person } = renderWithOrder({
      method: "transfer",
      url: null,
      transfer: {
        title: "PRAWKO 7K3M9QX2A4BC",
        iban: "PL61109010140000071219812874",
        owner: "Prawko sp. z o.o.",
        address: "ul. Prosta 1, 00-838 Warszawa",
      },
    })
    const copied: string[] = []
    vi.spyOn(navigator.clipboard, "writeText").mockImplementation(async (text) => {
      copied.push(text)
    })
    expect(await screen.findByText("PL61 1090 1014 0000 0712 1981 2874")).toBeVisible()
    expect(screen.getByText("PRAWKO 7K3M9QX2A4BC")).toBeVisible()
    for (const name of ["Tytuł przelewu", "Numer rachunku", "Kwota", "Odbiorca"]) {
      await person.click(screen.getByRole("button", { name: `Kopiuj: ${name}` }))
    }
    expect(copied).toEqual([
      "PRAWKO 7K3M9QX2A4BC",
      "PL61109010140000071219812874",
      "183,27",
      "Prawko sp. z o.o.",
    ])
    expect(screen.getAllByText("Skopiowano").length).toBeGreaterThan(0)
  })

  it("reports when copying fails", async () => {
    const { person } = renderWithOrder({
      url: null,
      transfer: { title: "T", iban: "PL61", owner: "P", address: "" },
    })
    await screen.findByText("PL61")
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("no"))
    await person.click(screen.getByRole("button", { name: "Kopiuj: Kwota" }))
    expect(await screen.findByText("Nie udało się skopiować")).toBeVisible()
  })
})

describe("the invoices", () => {
  it("can be downloaded as soon as they are ready", async () => {
    renderSubscription({
      [subscription]: { body: activeSubscription },
      [invoices]: {
        body: [
          {
            ...invoice,
            id: "00000000-0000-7000-8000-0000000000f2",
            number: "FV/2026/11/0002",
            pdfReady: false,
          },
          invoice,
        ],
      },
    })
    expect(await screen.findByText("FV/2026/11/0001")).toBeVisible()
    expect(screen.getByRole("button", { name: "Pobierz PDF: FV/2026/11/0001" })).toBeVisible()
    expect(screen.getByText("PDF w przygotowaniu")).toBeVisible()
    expect(screen.queryByRole("button", { name: "Pobierz PDF: FV/2026/11/0002" })).toBeNull()
  })

  it("become ready without a reload", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let pdfReady = false
    renderSubscription({
      [subscription]: { body: activeSubscription },
      [invoices]: () => ({ body: [{ ...invoice, pdfReady }] }),
    })
    expect(await screen.findByText("PDF w przygotowaniu")).toBeVisible()
    pdfReady = true
    await act(() => vi.advanceTimersByTimeAsync(16_000))
    expect(await screen.findByRole("button", { name: /^Pobierz PDF/ })).toBeVisible()
    vi.useRealTimers()
  })

  it("report a failed download at the invoice", async () => {
    const { person } = renderSubscription({
      [subscription]: { body: activeSubscription },
      [invoices]: { body: [invoice] },
      [`GET /api/invoices/${invoice.id}/pdf`]: { status: 502, body: "<h1>Bad Gateway</h1>" },
    })
    await person.click(await screen.findByRole("button", { name: "Pobierz PDF: FV/2026/11/0001" }))
    expect(await screen.findByRole("alert")).toHaveTextContent("Nie udało się pobrać faktury")
  })

  it("report a load error", async () => {
    renderSubscription({
      [subscription]: { body: activeSubscription },
      [invoices]: errorResponse(500, "server_error", "Błąd serwera."),
    })
    expect(await screen.findByText("Nie udało się pobrać faktur")).toBeVisible()
  })
})
