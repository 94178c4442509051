import { act, screen, within } from "@testing-library/react"
import { describe, expect, it, vi } from "vitest"
import { type Answers, answering, refused } from "~/testing/answers"
import { active, anna, details, invoice, none, openOrder, quoted } from "~/testing/people"
import { show } from "~/testing/screen"
import Subscription from "./subscription"

const subscription = "GET /api/subscription"
const invoices = "GET /api/invoices"

function open(answers: Answers) {
  const asked = answering({
    "GET /api/payment-methods": { body: [] },
    "GET /api/subscription/quote": (_, query) => ({
      body: quoted(Number(query.get("driverLimit"))),
    }),
    [invoices]: { body: [] },
    ...answers,
  })
  return { asked, ...show(<Subscription />, { user: anna }) }
}

const region = async (name: string) => {
  const heading = await screen.findByRole("heading", { level: 2, name })
  return within(heading.parentElement?.parentElement ?? heading)
}

describe("the subscription page", () => {
  it("shows a newcomer the trial, the details to fill in and the plans", async () => {
    open({ [subscription]: { body: none } })
    expect(await screen.findByRole("heading", { name: "Wypróbuj za darmo" })).toBeVisible()
    expect(screen.getByRole("form", { name: "Dane rozliczeniowe" })).toBeVisible()
    expect(screen.getByRole("form", { name: "Wybierz plan" })).toBeVisible()
    expect(await screen.findByText("Nie masz jeszcze faktur")).toBeVisible()
  })

  it("offers no trial to who has had one, nor to who pays", async () => {
    open({ [subscription]: { body: { ...active, user: details } } })
    expect(await screen.findByRole("form", { name: "Zmień lub przedłuż plan" })).toBeVisible()
    expect(screen.queryByRole("heading", { name: "Wypróbuj za darmo" })).toBeNull()
  })

  it("says that it waits", () => {
    vi.stubGlobal("fetch", () => new Promise(() => {}))
    show(<Subscription />, { user: anna })
    expect(screen.getByText("Wczytywanie subskrypcji…")).toBeVisible()
  })

  it("tries three times more, then says that it failed", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { asked } = open({ [subscription]: refused(500, "server_error", "Błąd serwera.") })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await screen.findByText("Nie udało się pobrać subskrypcji")).toBeVisible()
    expect(asked.filter(({ call }) => call === subscription)).toHaveLength(4)
    vi.useRealTimers()
  })

  it("keeps a long name of a company and its street in one piece", async () => {
    const long = {
      ...details,
      companyName: "Przedsiębiorstwo Wielobranżowe Konstantynopolitańczykowianeczka ".repeat(3),
      street: "ul. Generała Michała Karaszewicza-Tokarzewskiego 123B/45",
    }
    open({ [subscription]: { body: { ...active, user: long } } })
    expect(await screen.findByText(long.companyName.trim())).toBeVisible()
    expect(screen.getByText(long.street)).toBeVisible()
  })
})

describe("an open order", () => {
  const openIn = (changes: object) =>
    open({ [subscription]: { body: { ...none, openOrder: { ...openOrder, ...changes } } } })

  it("leads on to the provider", async () => {
    openIn({})
    const card = await region("Zamówienie czeka na płatność")
    expect(card.getByText(/183,27 zł brutto · Karta płatnicza/)).toBeVisible()
    expect(card.getByRole("button", { name: "Dokończ płatność" })).toBeVisible()
  })

  it("by transfer says what to type into the bank's form, each to be copied", async () => {
    const { person } = openIn({
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

  it("says so when nothing can be copied", async () => {
    const { person } = openIn({
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
    open({
      [subscription]: { body: active },
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

  it("become ready before one's eyes", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let pdfReady = false
    open({
      [subscription]: { body: active },
      [invoices]: () => ({ body: [{ ...invoice, pdfReady }] }),
    })
    expect(await screen.findByText("PDF w przygotowaniu")).toBeVisible()
    pdfReady = true
    await act(() => vi.advanceTimersByTimeAsync(16_000))
    expect(await screen.findByRole("button", { name: /^Pobierz PDF/ })).toBeVisible()
    vi.useRealTimers()
  })

  it("say beside the invoice that its download failed", async () => {
    const { person } = open({
      [subscription]: { body: active },
      [invoices]: { body: [invoice] },
      [`GET /api/invoices/${invoice.id}/pdf`]: { status: 502, body: "<h1>Bad Gateway</h1>" },
    })
    await person.click(await screen.findByRole("button", { name: "Pobierz PDF: FV/2026/11/0001" }))
    expect(await screen.findByRole("alert")).toHaveTextContent("Nie udało się pobrać faktury")
  })

  it("can be asked for again", async () => {
    open({
      [subscription]: { body: active },
      [invoices]: refused(500, "server_error", "Błąd serwera."),
    })
    expect(await screen.findByText("Nie udało się pobrać faktur")).toBeVisible()
  })
})
