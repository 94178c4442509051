import { screen, waitFor, within } from "@testing-library/react"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { DriverOut } from "~/api/types.gen"
import { changeLanguage } from "~/lib/i18n"
import { queryClient } from "~/lib/query-client"
import {
  activeSubscription,
  anna,
  driver,
  expired,
  noSubscription,
  notFound,
  verified,
  withheld,
} from "~/testing/fixtures"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import Overview from "./overview"

const fresh = { oldestVerifiedAt: "2026-11-20T05:04:00Z", staleCount: 0, checkingStopped: false }

function mockCompany(
  drivers: DriverOut[],
  summary: object = fresh,
  subscription: object = activeSubscription,
  user: object = anna,
) {
  return mockServer({
    "GET /api/user": { body: user },
    "GET /api/drivers": { body: drivers },
    "GET /api/subscription": { body: subscription },
    "GET /api/checks/summary": { body: summary },
  })
}

const card = async (name: string) => {
  const heading = await screen.findByRole("heading", { name })
  if (!heading.parentElement) throw new Error("a card has no box")
  return heading.parentElement
}

afterEach(() => {
  vi.useRealTimers()
  return changeLanguage("pl")
})

describe("the dashboard", () => {
  it("shows its title and a spinner while the drivers load", () => {
    vi.stubGlobal("fetch", () => new Promise(() => {}))
    renderScreen(<Overview />, { user: anna })
    expect(screen.getByRole("heading", { level: 1, name: "Panel główny" })).toBeVisible()
    expect(screen.getByText("Przegląd statusu uprawnień kierowców")).toBeVisible()
    const loading = screen.getByText("Wczytywanie kierowców…")
    expect(loading.closest("[role=status]")?.querySelector("[data-spinner]")).toBeVisible()
    expect(screen.queryByText("Liczba kierowców")).toBeNull()
  })

  it("counts all, valid and withheld drivers; an unchecked one counts in the first only", async () => {
    mockCompany([
      driver("A", "A", verified()),
      driver("B", "B", verified()),
      driver("C", "C", withheld),
      driver("D", "D", expired),
      driver("E", "E", notFound),
      driver("F", "F"),
    ])
    renderScreen(<Overview />, { user: anna })

    expect(await card("Liczba kierowców")).toHaveTextContent(/6$/)
    expect(await card("Aktywne uprawnienia")).toHaveTextContent(/2$/)
    expect((await card("Aktywne uprawnienia")).dataset.variant).toBe("green")
    expect(await card("Zatrzymane uprawnienia")).toHaveTextContent(/1$/)
    expect((await card("Zatrzymane uprawnienia")).dataset.variant).toBe("red")
  })

  it("is green and has no red section while nothing is withheld", async () => {
    mockCompany([driver("A", "A", verified())])
    renderScreen(<Overview />, { user: anna })
    expect((await card("Zatrzymane uprawnienia")).dataset.variant).toBe("greenFilled")
    expect(screen.queryByText(/^WYKRYTO/)).toBeNull()
    expect(screen.queryByText("Wymaga uwagi")).toBeNull()
  })

  it("shows each withheld driver under the red heading, with the details in a dialog", async () => {
    const categories = [
      { kategoria: "B", dataWaznosci: "2034-05-17" },
      { kategoria: "AM", dataWaznosci: null },
    ]
    const łukasz = driver("Łukasz", "Ćwikła", { ...withheld, categories })
    mockCompany([łukasz, driver("Jan", "Nowak", expired)])
    const { person } = renderScreen(<Overview />, { user: anna })

    const section = await screen.findByRole("region", {
      name: "WYKRYTO KIEROWCĘ Z ZATRZYMANYMI UPRAWNIENIAMI",
    })
    expect(section.firstChild).toHaveClass("border-withheld")
    expect((await card("Zatrzymane uprawnienia")).compareDocumentPosition(section)).toBe(
      Node.DOCUMENT_POSITION_FOLLOWING,
    )
    expect(within(section).getAllByRole("listitem")).toHaveLength(1)
    expect(within(section).getByRole("heading", { name: "Łukasz Ćwikła" })).toBeVisible()
    expect(section).toHaveTextContent(`Prawo jazdy: ${łukasz.licenseNumber}`)
    expect(section).toHaveTextContent("Data weryfikacji: 20.11.2026")

    const details = within(section).getByRole("button", { name: /^Zobacz szczegóły/ })
    expect(details).toHaveTextContent(/^Zobacz szczegóły$/)
    await person.click(details)
    const dialog = await screen.findByRole("dialog", { name: /^Szczegóły weryfikacji/ })
    expect(dialog).toHaveTextContent("Status dokumentuZatrzymany")
    expect(dialog).toHaveTextContent("Data ważności17.05.2034")
    expect(dialog).toHaveTextContent("Organ wydającyStarosta Krakowski")
    expect(dialog).toHaveTextContent("B Ważne do: 17.05.2034")
    expect(dialog).toHaveTextContent("AM Brak daty ważności")
  })

  it("shows missing register data in the details", async () => {
    const bare = { documentStatus: null, expiryDate: null, issuingAuthority: null, categories: [] }
    mockCompany([driver("A", "A", { ...withheld, ...bare })])
    const { person } = renderScreen(<Overview />, { user: anna })
    await person.click(await screen.findByRole("button", { name: /^Zobacz szczegóły/ }))
    const dialog = await screen.findByRole("dialog")
    expect(within(dialog).getAllByText("Brak danych")).toHaveLength(3)
    expect(dialog).toHaveTextContent("Brak danych o kategoriach")
  })

  it("lists drivers that need attention apart from the withheld ones", async () => {
    mockCompany([
      driver("Ewa", "Nowak", expired),
      driver("Jan", "Lis", notFound),
      driver("Ola", "Kot", verified(), { overLimit: true }),
    ])
    renderScreen(<Overview />, { user: anna })
    const section = await screen.findByRole("region", { name: "Wymaga uwagi" })
    expect(section).toHaveTextContent("po terminie od 02.11.2026")
    expect(section).toHaveTextContent("nie znaleziono w rejestrze")
    expect(section).toHaveTextContent("poza limitem planu")
    expect(screen.queryByText(/^WYKRYTO/)).toBeNull()
  })

  it("shows who may not drive for another reason first, all of them, and never under the red heading", async () => {
    const over = Array.from({ length: 9 }, (_, i) => driver("Ewa", `Żak${i}`, expired))
    mockCompany([driver("Jan", "Abacki", notFound), ...over, driver("Adam", "Lis", withheld)])
    renderScreen(<Overview />, { user: anna })
    const section = await screen.findByRole("region", { name: "Wymaga uwagi" })
    const red = screen.getByRole("region", { name: /^WYKRYTO/ })
    expect(red).not.toHaveTextContent("Żak")
    expect(red.compareDocumentPosition(section)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    expect(
      within(section)
        .getAllByRole("heading", { level: 3 })
        .map((heading) => heading.textContent),
    ).toEqual(["Nie mogą jechać: po terminie albo bez potrzebnej kategorii (9)"])
    expect(within(section).getAllByRole("listitem")).toHaveLength(9)
    expect(document.title).toBe("(10) Panel główny – Prawko")
  })

  it("says in its place that the freshness is unknown, and shows the rest", async () => {
    mockServer({
      "GET /api/user": { body: anna },
      "GET /api/drivers": { body: [driver("A", "A", withheld), driver("B", "B", verified())] },
      "GET /api/subscription": { body: activeSubscription },
      "GET /api/checks/summary": errorResponse(400, "bad_request", "Nie."),
    })
    renderScreen(<Overview />, { user: anna })
    expect(await screen.findByText("Nie udało się ustalić, czy wyniki są aktualne")).toBeVisible()
    expect(screen.getByRole("region", { name: /^WYKRYTO/ })).toBeVisible()
    expect(screen.queryByText(/^Stan na dzień|na bieżąco|dane nieaktualne/)).toBeNull()
    expect((await card("Aktywne uprawnienia")).dataset.variant).toBe("grey")
    expect((await card("Zatrzymane uprawnienia")).dataset.variant).toBe("red")
    expect(screen.getByRole("link", { name: "Mogą jechać 1" })).toHaveClass("text-ink-soft")
  })

  it("says in its place that a section cannot be drawn, and shows the rest", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {})
    const broken = { ...driver("A", "A", withheld), episode: { since: null } }
    mockCompany([broken as never, driver("Jan", "Lis", notFound)])
    renderScreen(<Overview />, { user: anna })
    expect(await screen.findByText("Tej części nie udało się wyświetlić")).toBeVisible()
    expect(screen.getByRole("region", { name: "Wymaga uwagi" })).toHaveTextContent("Jan Lis")
    expect(await card("Zatrzymane uprawnienia")).toHaveTextContent(/1$/)
  })

  it("counts drivers with an expired category apart and names them", async () => {
    const over = [
      { kategoria: "C", dataWaznosci: "2020-10-31" },
      { kategoria: "C+E", dataWaznosci: "2020-10-31" },
    ]
    mockCompany([
      driver("Ewa", "Nowak", verified({ categories: over })),
      driver("Jan", "Lis", verified()),
    ])
    renderScreen(<Overview />, { user: anna })
    const valid = await card("Aktywne uprawnienia")
    expect(valid).toHaveTextContent("w tym 1 z wygasłą kategorią")
    expect(valid).toHaveTextContent(/2$/)
    const section = screen.getByRole("region", { name: "Wymaga uwagi" })
    expect(within(section).getAllByRole("listitem")).toHaveLength(1)
    expect(section).toHaveTextContent("Ewa Nowak")
    expect(section).toHaveTextContent("C, C+E: wygasły 31.10.2020")
  })

  it("says so in English, too", async () => {
    await changeLanguage("en")
    const over = [{ kategoria: "C", dataWaznosci: "2020-10-31" }]
    mockCompany([driver("Ewa", "Nowak", verified({ categories: over }))])
    renderScreen(<Overview />, { user: anna })
    expect(await card("Active entitlements")).toHaveTextContent("1 of them with an expired")
    expect(screen.getByRole("region", { name: "Needs attention" })).toHaveTextContent(
      "C: expired 31.10.2020",
    )
  })

  it("has the confirmation of all drivers one click away", async () => {
    const requests = mockCompany([driver("Jan", "Lis", verified())])
    const { person } = renderScreen(<Overview />, { user: anna })
    await person.click(await screen.findByRole("button", { name: "Pobierz PDF dla firmy" }))
    await waitFor(() =>
      expect(requests.map(({ endpoint }) => endpoint)).toContain("GET /api/company/confirmation"),
    )
  })

  it("shows a document as expired from the midnight after its last day on", async () => {
    vi.useFakeTimers({ now: Date.parse("2026-11-21T23:30:00+01:00"), shouldAdvanceTime: true })
    mockCompany([driver("Ewa", "Nowak", verified({ expiryDate: "2026-11-21" }))])
    renderScreen(<Overview />, { user: anna })
    const answer = (name: string) => screen.findByRole("link", { name: new RegExp(`^${name}`) })
    expect(await answer("Mogą jechać")).toHaveTextContent(/1$/)

    vi.setSystemTime(Date.parse("2026-11-22T00:00:30+01:00"))
    await vi.advanceTimersByTimeAsync(61_000)
    expect(await answer("1 kierowca nie może dziś jechać")).toHaveAttribute(
      "href",
      "/panel/drivers?status=no",
    )
    expect(await answer("Mogą jechać")).toHaveTextContent(/0$/)
    // This figure follows the latest verification alone.
    expect(await card("Aktywne uprawnienia")).toHaveTextContent(/1$/)
    expect(screen.getByRole("region", { name: "Wymaga uwagi" })).toHaveTextContent(
      "po terminie od 21.11.2026",
    )
  })

  it("names drivers that were never checked, and is not green before the first result", async () => {
    mockCompany([driver("A", "A"), driver("B", "B")])
    const { person, router } = renderScreen(<Overview />, { user: anna })
    expect(await screen.findByText("2 kierowcy czekają na pierwsze sprawdzenie")).toBeVisible()
    expect((await card("Zatrzymane uprawnienia")).dataset.variant).toBe("grey")
    expect((await card("Aktywne uprawnienia")).dataset.variant).toBe("grey")
    const figures = screen.getByRole("region", { name: "Kto może dziś jechać" })
    for (const figure of within(figures).getAllByRole("link")) {
      expect(figure).toHaveClass("text-ink-soft")
    }
    expect(screen.queryByText(/^Stan na dzień/)).toBeNull()
    await person.click(screen.getByRole("link", { name: "Pokaż kierowców" }))
    const { pathname, search } = router.state.location
    expect(pathname + search).toBe("/panel/drivers?status=waiting")
  })

  it("does not promise a first check when none will be made", async () => {
    mockCompany([driver("A", "A")], { ...fresh, oldestVerifiedAt: null, checkingStopped: true })
    renderScreen(<Overview />, { user: anna })
    expect(await screen.findByText("1 kierowca nie był jeszcze sprawdzany")).toBeVisible()
    expect(screen.queryByText(/czeka na pierwsze/)).toBeNull()
  })

  it("does not speak of old data to a company without drivers", async () => {
    mockCompany([], { ...fresh, oldestVerifiedAt: null, checkingStopped: true })
    renderScreen(<Overview />, { user: anna })
    expect(await screen.findByText("Brak kierowców")).toBeVisible()
    expect(screen.queryByText("Dane mogą być nieaktualne")).toBeNull()
  })

  it("greys the cards under a banner with the actual date when results are stale", async () => {
    const stale = { staleSince: "2026-11-17T05:04:00Z" }
    mockCompany([driver("Ewa", "Nowak", verified(), stale)], {
      oldestVerifiedAt: "2026-11-17T05:04:00Z",
      staleCount: 1,
      checkingStopped: false,
    })
    renderScreen(<Overview />, { user: anna })
    expect(await screen.findByText(/od ponad 48 godzin.*17\.11\.2026, 06:04/)).toBeVisible()
    expect((await card("Aktywne uprawnienia")).dataset.variant).toBe("grey")
    expect((await card("Zatrzymane uprawnienia")).dataset.variant).toBe("grey")
    expect(screen.queryByText(/^Stan na dzień/)).toBeNull()
    expect(screen.getByText("niesprawdzone od 17.11.2026")).toBeVisible()
  })

  it("keeps a withheld count red over stale results", async () => {
    mockCompany([driver("A", "A", withheld, { staleSince: "2026-11-17T05:04:00Z" })], {
      ...fresh,
      staleCount: 1,
    })
    renderScreen(<Overview />, { user: anna })
    expect((await card("Zatrzymane uprawnienia")).dataset.variant).toBe("red")
  })

  it("reports a suppressed address, with a link to the remedy", async () => {
    mockCompany([], fresh, activeSubscription, { ...anna, emailProblem: "bounced" })
    const { person, router } = renderScreen(<Overview />, { user: anna })
    const banner = await screen.findByText(/^Nie wysyłamy powiadomień na Twój adres/)
    expect(banner.closest("[role=status]")).toHaveTextContent("anna@acme.test")
    await person.click(screen.getByRole("link", { name: "Zobacz, co zrobić" }))
    expect(router.state.location.pathname).toBe("/panel/notifications")
  })

  it("reports it in English, too", async () => {
    await changeLanguage("en")
    mockCompany([], fresh, activeSubscription, { ...anna, emailProblem: "spam" })
    renderScreen(<Overview />, { user: anna })
    expect(
      await screen.findByText("We are not sending notifications to your email address"),
    ).toBeVisible()
    expect(screen.getByRole("link", { name: "See what to do" })).toBeVisible()
  })

  it("shows no mail problem otherwise", async () => {
    mockCompany([driver("A", "A", verified())])
    renderScreen(<Overview />, { user: anna })
    await card("Aktywne uprawnienia")
    expect(screen.queryByText(/Nie wysyłamy powiadomień/)).toBeNull()
  })

  it("does not offer to add a driver without a subscription", async () => {
    mockCompany([], fresh, noSubscription)
    renderScreen(<Overview />, { user: anna })
    expect(await screen.findByText(/^Listę kierowców założysz po rozpoczęciu/)).toBeVisible()
    expect(screen.queryByText(/Dodaj pierwszego kierowcę/)).toBeNull()
    expect(screen.queryByRole("link", { name: "Dodaj kierowcę" })).toBeNull()
  })

  it("offers the trial to a company that never had one", async () => {
    const requests = mockCompany([], fresh, noSubscription)
    const { person } = renderScreen(<Overview />, { user: anna })
    await person.click(await screen.findByRole("button", { name: "Rozpocznij okres próbny" }))
    expect(await screen.findByText("Nieprawidłowy format NIP")).toBeVisible()
    expect(requests.some(({ endpoint }) => endpoint.startsWith("POST"))).toBe(false)
  })

  it("follows the product's clock and refetches when the date changes in an open page", async () => {
    // Long before the hour at which the date changes: the page may be slow to render.
    vi.useFakeTimers({ now: Date.parse("2026-11-21T06:30:00+01:00"), shouldAdvanceTime: true })
    const requests = mockCompany([driver("A", "A", verified())])
    const tomorrow = { ...anna, clockOffset: 86_400 }
    renderScreen(<Overview />, { user: tomorrow })
    expect(await screen.findByText("Stan na dzień: 20.11.2026")).toBeVisible()
    const times = () => requests.filter(({ endpoint }) => endpoint === "GET /api/drivers").length
    const before = times()

    vi.setSystemTime(Date.parse("2026-11-21T07:00:30+01:00"))
    await vi.advanceTimersByTimeAsync(61_000)
    expect(await screen.findByText("Stan na dzień: 21.11.2026")).toBeVisible()
    await waitFor(() => expect(times()).toBe(before + 1))
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    expect(times()).toBe(before + 1)
  })
})
