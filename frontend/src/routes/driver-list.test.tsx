import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it, vi } from "vitest"
import { getSubscriptionQueryKey } from "~/api/@tanstack/react-query.gen"
import type { DriverOut } from "~/api/types.gen"
import { queryClient } from "~/lib/query-client"
import {
  activeSubscription,
  anna,
  driver,
  expired,
  noSubscription,
  notFound,
  unusual,
  verified,
  withheld,
} from "~/testing/fixtures"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import DriverList from "./driver-list"

const emptySummary = { oldestVerifiedAt: null, staleCount: 0, checkingStopped: false }
const some = Array.from({ length: 12 }, (_, i) => driver(`Imię${i}`, `Nazwisko${i}`, verified()))

function companyResponses(drivers: DriverOut[], subscription: object = activeSubscription) {
  return {
    "GET /api/drivers": { body: drivers },
    "GET /api/subscription": { body: subscription },
    "GET /api/checks/summary": { body: emptySummary },
  }
}

const rows = () => screen.getAllByRole("row").slice(1)

describe("the drivers panel", () => {
  it("shows its title and a spinner while the drivers load", () => {
    vi.stubGlobal("fetch", () => new Promise(() => {}))
    renderScreen(<DriverList />, { user: anna })
    expect(
      screen.getByRole("heading", { level: 1, name: "Panel zarządzania kierowcami" }),
    ).toBeVisible()
    const loading = screen.getByText("Wczytywanie kierowców…")
    expect(loading.closest("[role=status]")?.querySelector("[data-spinner]")).toBeVisible()
  })

  it("notes in blue when the data is refreshed, and the date of its state", async () => {
    vi.useFakeTimers({ now: Date.parse("2026-11-21T07:00:00+01:00"), shouldAdvanceTime: true })
    mockServer(companyResponses(some))
    renderScreen(<DriverList />, { user: anna })
    const note = await screen.findByText(
      "Dane są odświeżane codziennie około 6:30 i pokazują stan rejestru z poprzedniego dnia.",
    )
    expect(note.closest(".bg-brand-soft")).toHaveTextContent(/Stan na dzień: 20\.11\.2026$/)
    expect(screen.getByText("Sprawdzono 20.11.2026, 06:04")).toBeVisible()
    vi.useRealTimers()
  })

  it("does not say that the data is refreshed when checking has stopped", async () => {
    mockServer({
      ...companyResponses(some, noSubscription),
      "GET /api/checks/summary": { body: { ...emptySummary, checkingStopped: true } },
    })
    renderScreen(<DriverList />, { user: anna })
    expect(await screen.findByText(/^Dane nie są teraz odświeżane/)).toBeVisible()
    expect(screen.queryByText(/odświeżane codziennie/)).toBeNull()
  })

  it("marks an expired category in the row", async () => {
    const categories = [{ kategoria: "C", dataWaznosci: "2020-10-31" }]
    mockServer(companyResponses([driver("Ewa", "Nowak", verified({ categories }))]))
    renderScreen(<DriverList />, { user: anna })
    expect(await screen.findByText("C wygasła 31.10.2020")).toBeVisible()
  })

  it("returns to the first page on a search", async () => {
    mockServer(companyResponses(some))
    const { person } = renderScreen(<DriverList />, { user: anna })
    await person.click(await screen.findByRole("button", { name: "Następna" }))
    await person.type(screen.getByLabelText("Szukaj kierowcy"), "nazwisko1")

    expect(screen.getByText("Strona 1 z 1")).toBeVisible()
    expect(rows()).toHaveLength(3)
    expect(screen.getByText("Znaleziono 3 kierowców")).toBeInTheDocument()
  })

  it("sorts by each column", async () => {
    mockServer(companyResponses(some))
    renderScreen(<DriverList />, { user: anna })
    const headers = await screen.findAllByRole("columnheader")
    expect(headers.map((one) => one.textContent?.trim())).toEqual([
      "Imię",
      "Nazwisko",
      "Numer prawa jazdy",
      "Status",
      "Ważne do",
      "Kategorie",
      "Ostatnia weryfikacja",
      "Akcje",
    ])
    expect(headers.map((one) => within(one).queryByRole("button") !== null)).toEqual([
      ...Array(7).fill(true),
      false,
    ])
  })

  it("marks the rows of drivers who may not drive", async () => {
    const all = [
      driver("Łukasz", "Ćwikła", withheld),
      driver("Jan", "Nowak", verified()),
      driver("Ewa", "Lis", expired),
    ]
    mockServer(companyResponses(all))
    renderScreen(<DriverList />, { user: anna })
    await screen.findByText("Zatrzymany")
    expect(rows().map((row) => row.dataset.answer)).toEqual(["no", "no", "yes"])
    const edge = "shadow-[inset_4px_0_0_var(--color-withheld)]"
    expect(rows().map((row) => row.classList.contains(edge))).toEqual([true, true, false])
  })

  it("says in one chip of the status what else is to be noticed", async () => {
    const over = { dataWaznosci: "2020-10-31" }
    const categories = [
      { kategoria: "C", ...over },
      { kategoria: "CE", ...over },
    ]
    const one = driver("Jan", "Nowak", verified({ categories }), {
      neededCategories: ["C", "C+E", "D"],
      overLimit: true,
    })
    mockServer(companyResponses([one]))
    renderScreen(<DriverList />, { user: anna })
    const text = [
      "Kategoria C wygasła 31.10.2020",
      "Kategoria C+E wygasła 31.10.2020",
      "Brak kategorii D",
      "poza limitem",
    ].join(" · ")
    expect(await screen.findByTitle(text)).toHaveTextContent(text)
  })

  it("does first what a driver needs, and the rest by the menu of the row", async () => {
    const open = { since: "2026-11-20T05:10:00Z", reasons: [], acknowledgement: null }
    const one = driver("Ola", "Lis", withheld, { episode: open })
    const checked = { ...verified(), driverId: one.id }
    const requests = mockServer({
      ...companyResponses([one, driver("Adam", "Kos", notFound)]),
      [`POST /api/drivers/${one.id}/acknowledgements`]: { body: one },
      [`POST /api/drivers/${one.id}/verify`]: { body: checked },
    })
    const { person } = renderScreen(<DriverList />, { user: anna })
    await person.click(await screen.findByRole("button", { name: "Odsunięty od jazdy: Ola Lis" }))
    await person.click(screen.getByRole("button", { name: "Kluczyki zdane" }))
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
    await person.click(screen.getByRole("button", { name: "Więcej: Ola Lis" }))
    await person.click(screen.getByRole("menuitem", { name: "Zweryfikuj teraz" }))
    expect(await screen.findByText("Weryfikacja zakończona pomyślnie")).toBeInTheDocument()
    const sent = requests.filter(({ endpoint }) => endpoint.startsWith("POST"))
    expect(sent.map(({ body }) => body)).toEqual([
      { since: open.since, note: "Kluczyki zdane" },
      undefined,
    ])
    await person.click(screen.getByRole("button", { name: "Popraw dane: Adam Kos" }))
    expect(screen.getByRole("dialog", { name: "Edytuj kierowcę" })).toBeVisible()
  })

  it.each([
    ["Wydany", verified(), "bg-valid-soft"],
    ["Zatrzymany", withheld, "bg-withheld"],
    ["Utracony", unusual, "bg-caution-soft"],
    ["Nieznany", undefined, "bg-sunken"],
  ])("shows the status of a document as text on a badge: %s", async (text, latest, colour) => {
    mockServer(companyResponses([driver("Jan", "Nowak", latest)]))
    renderScreen(<DriverList />, { user: anna })
    expect((await screen.findByText(text)).parentElement).toHaveClass(colour)
  })

  it("without a subscription offers plans and trial, and no editing", async () => {
    mockServer(companyResponses(some, noSubscription))
    const { person } = renderScreen(<DriverList />, { user: anna })

    expect(await screen.findByText("Wymagana subskrypcja")).toBeVisible()
    expect(screen.getByRole("link", { name: "Wybierz plan" })).toHaveAttribute(
      "href",
      "/panel/subscription",
    )
    expect(screen.getByRole("button", { name: "Rozpocznij okres próbny" })).toBeVisible()
    expect(screen.queryByRole("button", { name: "Dodaj kierowcę" })).toBeNull()
    const menus = screen.getAllByRole("button", { name: /^Więcej: / })
    expect(menus).toHaveLength(10)
    await person.click(menus[0] as HTMLElement)
    expect(screen.getAllByRole("menuitem").map((one) => one.textContent)).toEqual([
      "Otwórz",
      "Historia weryfikacji",
      "Usuń kierowcę",
    ])
  })

  it("offers no second trial", async () => {
    const trial = {
      startDate: "2026-11-01T08:00:00Z",
      endDate: "2026-11-08T08:00:00Z",
      daysLeft: 0,
      ended: true,
    }
    mockServer(
      companyResponses(some, { ...noSubscription, status: "expired", isTrial: true, trial }),
    )
    renderScreen(<DriverList />, { user: anna })
    await screen.findByText("Wymagana subskrypcja")
    expect(screen.queryByRole("button", { name: "Rozpocznij okres próbny" })).toBeNull()
    expect(screen.getByText("Okres próbny zakończył się 08.11.2026.")).toBeVisible()
  })

  it("deletes only after confirmation, and reports it", async () => {
    let drivers = [driver("Jan", "Nowak", verified())]
    const id = drivers[0]?.id
    const requests = mockServer({
      ...companyResponses([]),
      "GET /api/drivers": () => ({ body: drivers }),
      [`DELETE /api/drivers/${id}`]: () => {
        drivers = []
        return { body: { id } }
      },
    })
    const { person } = renderScreen(<DriverList />, { user: anna })
    await person.click(await screen.findByRole("button", { name: "Więcej: Jan Nowak" }))
    await person.click(screen.getByRole("menuitem", { name: "Usuń kierowcę" }))
    expect(requests.some(({ endpoint }) => endpoint.startsWith("DELETE"))).toBe(false)
    expect(screen.getByRole("alertdialog")).toHaveTextContent("Tej operacji nie można cofnąć.")
    await person.click(screen.getByRole("button", { name: "Usuń kierowcę" }))

    expect(await screen.findByText("Kierowca został usunięty")).toBeInTheDocument()
    expect(await screen.findByText("Brak kierowców")).toBeInTheDocument()
    await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveFocus())
  })

  it("announces an added driver in the list as well as in the toast", async () => {
    let drivers = [driver("Ewa", "Nowak", verified())]
    mockServer({
      ...companyResponses([]),
      "GET /api/drivers": () => ({ body: drivers }),
      "POST /api/drivers": () => {
        drivers = [...drivers, driver("Jan", "Lis")]
        return { status: 201, body: drivers[1] }
      },
    })
    const { person } = renderScreen(<DriverList />, { user: anna })
    await person.click(await screen.findByRole("button", { name: "Dodaj kierowcę" }))
    await person.type(screen.getByLabelText("Imię"), "Jan")
    await person.type(screen.getByLabelText("Nazwisko"), "Lis")
    await person.type(screen.getByLabelText("Numer prawa jazdy"), "AA123456")
    await person.click(screen.getByRole("button", { name: "Zapisz" }))

    const announced = await screen.findByText("Dodano kierowcę")
    expect(announced.closest("[role=status]")).toHaveTextContent(
      "Dodano kierowcęKierowca został pomyślnie dodany do systemu",
    )
    expect(screen.getByText("Kierowca został dodany")).toBeInTheDocument()
    expect(screen.getByText("czeka na sprawdzenie")).toBeInTheDocument()
    // The subscription's page counts them, too.
    expect(queryClient.getQueryState(getSubscriptionQueryKey())?.isInvalidated).toBe(true)
  })

  it.each([
    ["Dodaj kierowcę", ""],
    ["Więcej: Ewa Nowak", "Edytuj"],
  ])("asks before Escape throws away what was typed after '%s'", async (name, item) => {
    const field = "Imię"
    mockServer(companyResponses([driver("Ewa", "Nowak", verified())]))
    const { person } = renderScreen(<DriverList />, { user: anna })
    await person.click(await screen.findByRole("button", { name }))
    if (item) await person.click(screen.getByRole("menuitem", { name: item }))
    await person.type(screen.getByLabelText(field), "x")
    await person.keyboard("{Escape}")
    expect(await screen.findByText("Odrzucić wpisane dane?")).toBeVisible()
    await person.click(screen.getByRole("button", { name: "Wróć do formularza" }))
    expect(screen.getByLabelText(field)).toBeVisible()
  })

  it("reports that the list could not be loaded, and retries on request", async () => {
    let broken = true
    mockServer({
      ...companyResponses([]),
      "GET /api/drivers": () =>
        broken ? errorResponse(500, "server_error", "Wystąpił błąd serwera.") : { body: some },
    })
    const { person } = renderScreen(<DriverList />, { user: anna })
    expect(await screen.findByRole("alert")).toHaveTextContent("Nie udało się wczytać kierowców")
    broken = false
    await person.click(screen.getByRole("button", { name: "Spróbuj ponownie" }))
    expect(await screen.findByText("Strona 1 z 2")).toBeVisible()
  })
})
