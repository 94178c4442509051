import { act, screen, waitFor, within } from "@testing-library/react"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { DriverOut, StateChangeOut, VerificationOut } from "~/api/types.gen"
import { switchShortcuts } from "~/hooks/use-shortcuts"
import {
  activeSubscription,
  anna,
  driver,
  noSubscription,
  verified,
  withheld,
} from "~/testing/fixtures"
import {
  errorResponse,
  type MockResponses,
  mockServer,
  type RecordedRequest,
} from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { DriverPanel } from "./driver-panel"

const jan = driver("Jan", "Kowalski", verified(), { licenseNumber: "AA123456" })
const list = `GET /api/drivers/${jan.id}/changes`
const check = `POST /api/drivers/${jan.id}/verify`

function entry(n: number, changes: Partial<StateChangeOut> = {}): StateChangeOut {
  const verifiedAt = `2026-11-${String(n).padStart(2, "0")}T05:04:00Z`
  return {
    ...verified({ id: `v${n}`, verifiedAt, driverId: jan.id }),
    firstVerifiedAt: changes.verifiedAt ?? verifiedAt,
    checks: 1,
    ...changes,
  }
}

let one = jan
let subscription = activeSubscription

/** The server, which knows the driver; what a test does not name is empty. */
function mockDriver(responses: MockResponses) {
  const path = `/api/drivers/${one.id}`
  return mockServer({
    [`GET ${path}`]: () => ({ body: one }),
    [`GET ${path}/changes`]: { body: [] },
    [`GET ${path}/days`]: { body: [] },
    [`GET ${path}/notices`]: { body: [] },
    "GET /api/subscription": () => ({ body: subscription }),
    ...responses,
  })
}

function renderPanel(part = "history", listed: string[] = [], onOpen = vi.fn()) {
  const panel = <DriverPanel driverId={one.id} listed={listed} onOpen={onOpen} onClose={vi.fn()} />
  return { ...renderScreen(panel, { user: anna, path: `/here#${part}` }), onOpen }
}

const renderDialog = async () => {
  const rendered = renderPanel()
  await screen.findByRole("button", { name: "Zweryfikuj teraz" })
  return rendered
}

afterEach(() => {
  one = jan
  subscription = activeSubscription
  vi.useRealTimers()
})

const countRequests = (requests: RecordedRequest[], call: string) =>
  requests.filter((one) => one.endpoint === call).length

describe("the address", () => {
  it("opens the form of the driver's details, until it is closed", async () => {
    mockDriver({})
    const { person, router } = renderPanel("edit")
    const form = await screen.findByRole("dialog", { name: "Edytuj kierowcę" })
    expect(form).toBeVisible()
    await person.keyboard("{Escape}")
    expect(screen.queryByRole("dialog", { name: "Edytuj kierowcę" })).toBeNull()
    expect(router.state.location.hash).toBe("")
    expect(screen.getByRole("dialog", { name: /Jan Kowalski/ })).toBeVisible()
  })
})

describe("the history of verifications", () => {
  it("expands one entry at a time, in full", async () => {
    const reasons = [{ kod: "P1", wartosc: "Przekroczenie prędkości" }]
    const categories = [
      { kategoria: "B", dataWaznosci: "2034-05-17" },
      { kategoria: "AM", dataWaznosci: null },
    ]
    const other = { licenseNumber: "ZZ999999", notes: "Uwaga z rejestru" }
    mockDriver({
      [list]: {
        body: [
          entry(20, { status: "invalid", documentStatus: "Zatrzymany", reasons, categories }),
          entry(19, other),
        ],
      },
    })
    const { person } = await renderDialog()
    // The newest is expanded already.
    expect(await screen.findByRole("button", { name: /^20\.11\.2026, 06:04/ })).toHaveAttribute(
      "aria-expanded",
      "true",
    )
    const dialog = screen.getByRole("dialog")
    expect(dialog).toHaveTextContent("Status weryfikacjizatrzymane")
    expect(dialog).toHaveTextContent("Status dokumentuZatrzymany")
    expect(dialog).toHaveTextContent("Powody zmiany statusuPrzekroczenie prędkości")
    expect(dialog).toHaveTextContent("Organ wydającyStarosta Krakowski")
    expect(dialog).toHaveTextContent("KategorieB Ważne do: 17.05.2034 AM Brak daty ważności")
    expect(dialog).not.toHaveTextContent("Sprawdzony numer")

    await person.click(screen.getByRole("button", { name: /^19\.11\.2026/ }))
    expect(dialog).toHaveTextContent("Sprawdzony numerZZ999999")
    expect(dialog).toHaveTextContent("Uwagi rejestruUwaga z rejestru")
    expect(dialog).not.toHaveTextContent("Przekroczenie prędkości")
  })

  it("marks what has expired, in an older entry as of its own day", async () => {
    const categories = [{ kategoria: "C", dataWaznosci: "2020-10-31" }]
    const before = "2020-10-01T05:04:00Z"
    mockDriver({
      [list]: { body: [entry(20, { categories }), entry(19, { categories, verifiedAt: before })] },
    })
    const { person } = await renderDialog()
    const newest = await screen.findByRole("button", { name: /^20\.11\.2026/ })
    expect(newest).toHaveTextContent("C: wygasła 31.10.2020")
    const older = screen.getByRole("button", { name: /^01\.10\.2020/ })
    expect(older).toHaveTextContent("C: wygasa 31.10.2020")
    await person.click(older)
    expect(screen.getByRole("dialog")).toHaveTextContent("C Ważne do: 31.10.2020 po terminie")
    expect(screen.getByRole("dialog")).toHaveTextContent("ważne C: wygasła 31.10.2020")
  })

  // The driver's own result is of the 20th and allows driving.
  it.each([
    ["whose category is over", "2020-10-31", null],
    ["that waits for a review of a lost category", null, "C"],
  ] as const)("is not green for a document %s", async (_, dataWaznosci, needed) => {
    const categories = [{ kategoria: "B", dataWaznosci }]
    mockDriver({ [list]: { body: [entry(21, { categories }), entry(19, { categories })] } })
    const own = verified({ categories: [{ kategoria: "C", dataWaznosci: null }] })
    one = { ...jan, verifications: [own], neededCategories: needed ? [needed] : [] }
    await renderDialog()
    const region = within(await screen.findByRole("region", { name: "Weryfikacje" }))
    const badges = await region.findAllByText("Wydany", { selector: "[data-badge] span" })
    const tones = badges.map((badge) => /bg-\w+/.exec(badge.parentElement?.className ?? "")?.[0])
    expect(tones).toEqual(["bg-caution", needed ? "bg-valid" : "bg-caution"])
  })

  it("folds equal ones one after another, and unfolds each of them", async () => {
    const checks = Array.from({ length: 29 }, (_, n) => entry(20 - (n % 20), { id: `c${n}` }))
    const asked: string[] = []
    mockDriver({
      [list]: {
        body: [
          entry(21, { status: "invalid", documentStatus: "Zatrzymany" }),
          entry(20, { firstVerifiedAt: "2026-10-23T04:04:00Z", checks: 29 }),
        ],
      },
      [`GET /api/drivers/${jan.id}/verifications`]: (_, query) => {
        asked.push(`${query.get("since")} ${query.get("until")}`)
        return { body: checks }
      },
    })
    const { person } = await renderDialog()
    const folded = await screen.findByRole("button", { name: /^23\.10\.2026 – 20\.11\.2026/ })
    expect(folded).toHaveTextContent("29 sprawdzeń")
    await person.click(folded)
    await person.click(screen.getByRole("button", { name: "Pokaż wszystkie 29 sprawdzeń" }))
    const times = await screen.findByRole("list", { name: /^Sprawdzenia 23\.10\.2026/ })
    expect(times.children).toHaveLength(29)
    for (const check of times.children) {
      expect(check).toHaveTextContent(
        /Status dokumentu.*Powody zmiany statusu.*Organ wydający.*Kategorie.*B/,
      )
    }
    expect(asked).toEqual(["2026-10-23T04:04:00Z 2026-11-20T05:04:00Z"])
    await person.click(screen.getByRole("button", { name: "Zwiń listę sprawdzeń" }))
    expect(screen.queryByRole("list", { name: /^Sprawdzenia/ })).toBeNull()
  })

  it("scrolls in an area of at most 400 pixels that is focusable by keyboard", async () => {
    mockDriver({ [list]: { body: [entry(20)] } })
    await renderDialog()
    const viewport = await screen.findByRole("region", { name: "Weryfikacje" })
    expect(viewport).toHaveClass("max-h-[400px]")
    expect(viewport).toHaveAttribute("tabindex", "0")
  })

  it("loads older entries on request, and shows no button when there are none", async () => {
    const pages = [Array.from({ length: 25 }, (_, i) => entry(25 - i)), [entry(30, { id: "last" })]]
    mockDriver({ [list]: () => ({ body: pages.shift() ?? [] }) })
    const { person } = await renderDialog()
    await person.click(await screen.findByRole("button", { name: "Pokaż starsze" }))
    expect(await screen.findByRole("button", { name: /^30\.11\.2026/ })).toBeInTheDocument()
    expect(screen.queryByRole("button", { name: "Pokaż starsze" })).toBeNull()
  })

  it("reports an empty history", async () => {
    mockDriver({ [list]: { body: [] } })
    await renderDialog()
    expect(await screen.findByText("Brak weryfikacji")).toBeVisible()
  })

  it("reports a load error, and retries", async () => {
    let broken = true
    mockDriver({
      [list]: () => (broken ? errorResponse(500, "server_error", "Ups") : { body: [entry(20)] }),
    })
    const { person } = await renderDialog()
    expect(await screen.findByRole("alert")).toHaveTextContent("Nie udało się wczytać historii")
    broken = false
    await person.click(screen.getByRole("button", { name: "Spróbuj ponownie" }))
    expect(await screen.findByRole("button", { name: /^20\.11\.2026/ })).toBeVisible()
  })
})

describe("the export of a driver's data", () => {
  const archive = `GET /api/drivers/${jan.id}/export`

  it("is saved as a file, and the dialog reports it", async () => {
    mockDriver({ [list]: { body: [] }, [archive]: { body: "PK" } })
    URL.createObjectURL = () => "blob:x" // jsdom has none
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(this.download)
    })
    const { person } = await renderDialog()
    await person.click(screen.getByRole("button", { name: "Więcej" }))
    await person.click(screen.getByRole("menuitem", { name: "Pobierz dane" }))
    expect(await screen.findByText("Dane kierowcy zostały pobrane")).toHaveRole("status")
    expect(saved).toEqual(["AA123456.zip"])
  })

  it("reports a failure", async () => {
    mockDriver({
      [list]: { body: [] },
      [archive]: errorResponse(429, "too_many_requests", "Za często"),
    })
    const { person } = await renderDialog()
    await person.click(screen.getByRole("button", { name: "Więcej" }))
    await person.click(screen.getByRole("menuitem", { name: "Pobierz dane" }))
    const dialog = screen.getByRole("dialog")
    await waitFor(() =>
      expect(within(dialog).getByRole("alert")).toHaveTextContent(
        "Nie udało się pobrać danych kierowcyZa często",
      ),
    )
  })
})

describe("a manual check", () => {
  const now = () => screen.getByRole("button", { name: "Zweryfikuj teraz" })

  it("refreshes the history, and reports completion in the dialog and in a toast", async () => {
    const requests = mockDriver({ [list]: { body: [entry(20)] }, [check]: { body: entry(21) } })
    const { person } = await renderDialog()
    await screen.findByRole("button", { name: /^20\.11\.2026/ })
    await person.click(now())
    const dialog = screen.getByRole("dialog")
    expect(await within(dialog).findByText("Weryfikacja zakończona pomyślnie")).toHaveRole("status")
    expect(screen.getAllByText("Weryfikacja zakończona pomyślnie")).toHaveLength(2)
    expect(countRequests(requests, list)).toBe(2)
    expect(screen.getAllByText("Wynik: Wydany")).toHaveLength(2)
  })

  it.each([
    [{ status: "invalid", documentStatus: "Zatrzymany" }, "Wynik: Zatrzymany"],
    [{ status: "not_found", documentStatus: null }, "Wynik: nie znaleziono w rejestrze"],
  ] as const)("names a bad result, and does not praise it: %o", async (found, result) => {
    mockDriver({ [list]: { body: [entry(20)] }, [check]: { body: entry(21, found) } })
    const { person } = await renderDialog()
    await person.click(now())
    const dialog = screen.getByRole("dialog")
    expect(await within(dialog).findByText(result)).toHaveRole("status")
    const toast = document.querySelector("[data-toast]")
    expect(toast).toHaveTextContent(`Weryfikacja zakończona pomyślnie${result}`)
    expect(toast?.querySelector(".lucide-info")).not.toBeNull()
    expect(toast?.querySelector(".text-valid")).toBeNull()
  })

  it("shows the server's message, and when to retry", async () => {
    const headers = { "Retry-After": "22" }
    mockDriver({
      [list]: { body: [entry(20)] },
      [check]: { ...errorResponse(429, "too_many_requests", "Za często"), headers },
    })
    const { person } = await renderDialog()
    await person.click(now())
    const dialog = screen.getByRole("dialog")
    await waitFor(() =>
      expect(within(dialog).getByRole("alert")).toHaveTextContent(
        "Za częstoSpróbuj ponownie za 22 sekundy.",
      ),
    )
  })

  it("falls back to the specified message", async () => {
    mockDriver({ [list]: { body: [] }, [check]: { status: 503, body: "<html>" } })
    const { person } = await renderDialog()
    await person.click(now())
    const dialog = screen.getByRole("dialog")
    await waitFor(() =>
      expect(within(dialog).getByRole("alert")).toHaveTextContent(
        "Nie udało się zweryfikować kierowcy",
      ),
    )
  })

  it.each([
    [false, false, "Ręczne sprawdzanie wymaga aktywnej subskrypcji."],
    [true, true, /poza limitem Twojego planu, więc nie jest sprawdzany/],
  ])(
    "is disabled without a subscription, and beyond its limit",
    async (mayCheck, overLimit, reason) => {
      one = { ...jan, overLimit }
      subscription = mayCheck ? activeSubscription : noSubscription
      mockDriver({})
      await renderDialog()
      await waitFor(() => expect(now()).toBeDisabled())
      expect(screen.getByText(reason)).toBeVisible()
    },
  )
})

/** The dialog of a driver whose day is 22 November 2026 at noon in Warsaw. */
async function openDetails(found: Partial<VerificationOut>, changes: Partial<DriverOut> = {}) {
  vi.setSystemTime(Date.parse("2026-11-22T12:00:00+01:00"))
  one = driver("Jan", "Nowak", verified(found), changes)
  mockDriver({})
  renderPanel("details")
  const dialog = await screen.findByRole("dialog", { name: "Szczegóły weryfikacji Jan Nowak" })
  const facts = await within(dialog).findByRole("region", { name: "Szczegóły weryfikacji" })
  return (label: string) => {
    const term = within(facts).getByText(label)
    return within(term.parentElement as HTMLElement)
  }
}

describe("the details of a verification", () => {
  it("mark an expired document and an expired category at their dates", async () => {
    const fact = await openDetails({
      expiryDate: "2026-11-21",
      categories: [
        { kategoria: "B", dataWaznosci: null },
        { kategoria: "C", dataWaznosci: "2026-10-31" },
        { kategoria: "D", dataWaznosci: "2026-11-22" },
        { kategoria: "T", dataWaznosci: "2034-01-01" },
      ],
    })
    expect(fact("Data ważności").getByText("21.11.2026")).toBeVisible()
    expect(fact("Data ważności").getByText("po terminie")).toBeVisible()
    const [b, c, d, t] = fact("Kategorie").getAllByRole("listitem")
    expect(b).toHaveTextContent("B Brak daty ważności")
    expect(c).toHaveTextContent("C po terminie Ważne do: 31.10.2026")
    expect(d).toHaveTextContent("D wygasa wkrótce Ważne do: 22.11.2026 (ostatni dzień)")
    expect(t).toHaveTextContent(/^T Ważne do: 0?1.01.2034$/)
  })

  it("do not mark a document on its last day as expired", async () => {
    const fact = await openDetails({ expiryDate: "2026-11-22" })
    expect(fact("Data ważności").queryByText("po terminie")).toBeNull()
  })

  it("say of a withheld document that its date entitles to nothing", async () => {
    const fact = await openDetails({
      status: "invalid",
      documentStatus: "Zatrzymany",
      expiryDate: "2033-05-21",
    })
    expect(fact("Data ważności").getByText("21.05.2033")).toHaveClass("text-ink-soft")
    expect(fact("Data ważności").getByText("nie uprawnia do jazdy")).toBeVisible()
  })

  it("say nothing beside the date of an issued one, and explain its state", async () => {
    const fact = await openDetails({ documentStatus: "Wydany", expiryDate: "2033-05-21" })
    expect(fact("Data ważności").queryByText("nie uprawnia do jazdy")).toBeNull()
    expect(fact("Data ważności").getByText("21.05.2033")).not.toHaveClass("text-ink-soft")
    expect(fact("Status dokumentu").getByTitle("dokument wydany")).toHaveTextContent("Wydany")
  })

  it("name the needed categories, and why one of them is missing", async () => {
    const fact = await openDetails(
      { categories: [{ kategoria: "C", dataWaznosci: "2026-11-12" }] },
      { neededCategories: ["C", "C+E"] },
    )
    expect(fact("Potrzebne kategorie").getByText("C, C+E")).toBeVisible()
    expect(fact("Potrzebne kategorie").getByText("Kategoria C wygasła 12.11.2026")).toBeVisible()
    expect(fact("Potrzebne kategorie").getByText("Brak kategorii C+E")).toBeVisible()
  })
})

describe("the neighbours in the list", () => {
  it("are opened by buttons and by keys, but not by keys in a field", async () => {
    mockDriver({})
    const { person, onOpen } = renderPanel("", ["first", jan.id, "last"])
    expect(await screen.findByText("2 z 3")).toBeVisible()
    await person.click(screen.getByRole("button", { name: "Następny kierowca" }))
    await person.keyboard("k")
    expect(onOpen.mock.calls).toEqual([["last"], ["first"]])
    await person.keyboard("{Control>}j{/Control}")
    expect(onOpen).toHaveBeenCalledTimes(2)
  })

  it("are not opened by letters while keys of one character are switched off", async () => {
    mockDriver({})
    const { person, onOpen } = renderPanel("", ["first", jan.id, "last"])
    await screen.findByText("2 z 3")
    act(() => switchShortcuts(false))
    await person.keyboard("k{ArrowDown}")
    act(() => switchShortcuts(true))
    expect(onOpen.mock.calls).toEqual([["last"]])
  })

  it("leave the key of the act to the open driver", async () => {
    one = driver("Jan", "Kowalski", withheld)
    mockDriver({})
    const { person } = renderPanel("")
    await screen.findByRole("button", { name: /^Odsunięty od jazdy/ })
    await person.keyboard("o")
    expect(screen.getByRole("textbox", { name: "Notatka" })).toHaveFocus()
    expect(screen.getByRole("textbox", { name: "Notatka" })).toHaveValue("")
  })

  it("end with the list", async () => {
    mockDriver({})
    const { person, onOpen } = renderPanel("", ["first", jan.id])
    await person.click(await screen.findByRole("button", { name: "Następny kierowca" }))
    await person.keyboard("j")
    expect(onOpen).not.toHaveBeenCalled()
  })
})

describe("the answer", () => {
  it.each([
    [verified({ status: "invalid", documentStatus: "Cofnięty" }), "Nie może jechać"],
    [verified({ status: "attention", documentStatus: "Utracony" }), "Do wyjaśnienia"],
    [verified(), "Może jechać"],
  ] as const)("comes before the document's state: %#", async (found, answer) => {
    one = driver("Jan", "Nowak", found)
    mockDriver({})
    renderPanel("")
    const [first, second] = await screen.findAllByText(/./, { selector: "[data-badge] span" })
    expect(first).toHaveTextContent(answer)
    expect(second).toHaveTextContent(found.documentStatus as string)
  })
})
