import { act, fireEvent, screen, waitFor, within } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { AcknowledgementOut, DriverOut } from "~/api/types.gen"
import { switchShortcuts } from "~/hooks/use-shortcuts"
import { changeLanguage } from "~/lib/i18n"
import Overview from "~/routes/overview"
import {
  activeSubscription,
  anna,
  driver,
  notFound,
  unusual,
  verified,
  withheld,
} from "~/testing/fixtures"
import { errorResponse, mockServer, type RecordedRequest } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"

const reasons = [{ kod: "P01", wartosc: "Przekroczenie 24 punktów karnych" }]
const entry: AcknowledgementOut = {
  id: "00000000-0000-7000-8000-0000000000aa",
  note: "Auto przejęła Ewa",
  createdAt: "2026-11-03T08:00:00Z",
  createdBy: "bartek@acme.test",
}

let drivers: DriverOut[]
let answer: () => ReturnType<typeof errorResponse> | { body: DriverOut }
let requests: RecordedRequest[]
const own = { ...entry, createdBy: anna.email }

function withheldSince(name: string, since: string, acknowledgement = null as typeof entry | null) {
  return driver(
    "Jan",
    name,
    { ...withheld, reasons },
    {
      episode: { since, reasons, acknowledgement },
    },
  )
}

const pathOf = (one: DriverOut | undefined) => `/api/drivers/${one?.id}/acknowledgements`

function acknowledgeFirst(acknowledgement: AcknowledgementOut | null = entry): { body: DriverOut } {
  const [first, ...others] = drivers
  if (!first?.episode) throw new Error("nobody is withheld")
  const acknowledged = { ...first, episode: { ...first.episode, acknowledgement } }
  drivers = [acknowledged, ...others]
  return { body: acknowledged }
}

function renderDashboard(user = anna) {
  requests = mockServer({
    "GET /api/user": { body: user },
    "GET /api/drivers": () => ({ body: drivers }),
    "GET /api/subscription": { body: activeSubscription },
    "GET /api/checks/summary": {
      body: { oldestVerifiedAt: null, staleCount: 0, checkingStopped: false },
    },
    [`POST ${pathOf(drivers[0])}`]: () => answer(),
    "POST /api/drivers/acknowledgements": (body) => {
      acknowledgeFirst()
      return {
        body: (body as { episodes: { driverId: string }[] }).episodes.map(({ driverId }, i) => ({
          driverId,
          result: i === 0 ? "acknowledged" : "ended",
          message: "",
          acknowledgementId: i === 0 ? entry.id : null,
        })),
      }
    },
    [`DELETE ${pathOf(drivers[0])}/${entry.id}`]: () => answer(),
  })
  return renderScreen(<Overview />, { user })
}

const deletions = () =>
  requests.map(({ endpoint }) => endpoint).filter((one) => one.startsWith("DELETE"))

const section = () => screen.findByRole("region", { name: /^WYKRYTO KIEROWCĘ/ })

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-11-22T12:00:00+01:00"), shouldAdvanceTime: true })
  drivers = [withheldSince("Nowy", "2026-11-21T05:10:00Z")]
  answer = acknowledgeFirst
})
afterEach(() => {
  vi.useRealTimers()
  return changeLanguage("pl")
})

describe("the withheld drivers of the dashboard", () => {
  it("are new with reason, time and what to do, or known with who took them off", async () => {
    drivers.push(
      withheldSince("Znany", "2026-11-02T05:10:00Z", entry),
      withheldSince("Zapomniany", "2026-11-05T05:10:00Z"),
      driver("Ewa", "Ważna", verified()),
    )
    renderDashboard()
    const box = await section()
    expect(
      within(box)
        .getAllByRole("heading", { level: 3 })
        .map((h) => h.textContent),
    ).toEqual(["Nowe od wczoraj (1)", "Znane (2)"])
    const [fresh, forgotten, known] = within(box).getAllByRole("listitem")
    expect(fresh).toHaveTextContent("Jan Nowy")
    expect(fresh).toHaveTextContent("Przekroczenie 24 punktów karnych")
    expect(fresh).toHaveTextContent("Stwierdzono: 21.11.2026, 06:10 (wczoraj)")
    expect(box).toHaveTextContent("nie powierzaj kierowania pojazdem")
    expect(forgotten).toHaveTextContent("Jan Zapomniany")
    expect(forgotten).toHaveTextContent("Nikt nie potwierdził odsunięcia od jazdy")
    expect(known).toHaveTextContent("Stwierdzono 02.11.2026")
    expect(known).toHaveTextContent("Odsunięto: bartek@acme.test, 03.11.2026, 09:00")
    expect(within(known as HTMLElement).queryByRole("button", { name: /^Odsunięty/ })).toBeNull()
  })

  it("are new no more once somebody notes that the driver was taken off the road", async () => {
    const { person } = renderDashboard()
    await person.click(await screen.findByRole("button", { name: "Odsunięty od jazdy: Jan Nowy" }))
    const note = screen.getByRole("textbox", { name: "Notatka" })
    expect(note).toHaveFocus()
    await person.type(note, "  Auto przejęła Ewa {Enter}")
    expect(await screen.findByRole("heading", { name: "Nowe od wczoraj (0)" })).toBeVisible()
    expect(screen.queryByText(/^Znane/)).toBeNull()
    const sent = requests.find(({ endpoint }) => endpoint === `POST ${pathOf(drivers[0])}`)
    expect(sent?.body).toEqual({ since: "2026-11-21T05:10:00Z", note: "Auto przejęła Ewa" })
    await waitFor(() =>
      expect(screen.getByRole("heading", { level: 2, name: /^WYKRYTO/ })).toHaveFocus(),
    )
  })

  it("keep the note when it cannot be saved, and say why", async () => {
    answer = () => errorResponse(409, "episode_ended", "Stan uprawnień zmienił się w międzyczasie.")
    const { person } = renderDashboard()
    await person.click(await screen.findByRole("button", { name: /^Odsunięty od jazdy/ }))
    await person.type(screen.getByRole("textbox", { name: "Notatka" }), "Auto{Enter}")
    expect(await screen.findByText("Stan uprawnień zmienił się w międzyczasie.")).toBeVisible()
    expect(screen.getByRole("textbox", { name: "Notatka" })).toHaveValue("Auto")
    const reads = () => requests.filter(({ endpoint }) => endpoint === "GET /api/drivers").length
    await waitFor(() => expect(reads()).toBe(2))

    await person.click(screen.getByRole("button", { name: "Anuluj" }))
    expect(screen.getByRole("button", { name: /^Odsunięty od jazdy/ })).toBeVisible()
  })

  it("say the reason and what to do in the details, where an entry is withdrawn", async () => {
    drivers = [withheldSince("Znany", "2026-11-02T05:10:00Z", entry)]
    const withdrawn = {
      ...drivers[0],
      episode: { since: "2026-11-02T05:10:00Z", reasons, acknowledgement: null },
    }
    answer = () => {
      drivers = [withdrawn as DriverOut]
      return { body: withdrawn as DriverOut }
    }
    const { person } = renderDashboard()
    await person.click(await screen.findByRole("button", { name: "Zobacz szczegóły: Jan Znany" }))
    const dialog = await screen.findByRole("dialog", { name: /^Szczegóły weryfikacji/ })
    // Everything once: the answer, since when, why.
    expect(dialog).toHaveTextContent(
      /Nie może jechaćod 02\.11\.2026, 06:10 \(20 dni temu\)Przekroczenie 24 punktów karnych/,
    )
    expect(within(dialog).getAllByText(/Przekroczenie 24|02\.11\.2026|^Zatrzymany$/)).toHaveLength(
      3,
    )
    expect(dialog).toHaveTextContent("Co zrobić Do wyjaśnienia sprawy nie powierzaj tej osobie")
    expect(dialog).toHaveTextContent("bartek@acme.test, 03.11.2026, 09:00Auto przejęła Ewa")
    expect(dialog).toHaveTextContent("Status dokumentuZatrzymany")

    await person.click(within(dialog).getByRole("button", { name: "Wycofaj wpis" }))
    const question = () => screen.getByRole("alertdialog", { name: /^Wycofać wpis/ })
    expect(question()).toHaveTextContent("Auto przejęła Ewa")
    await person.keyboard("{Escape}")
    expect(dialog).toHaveTextContent("Auto przejęła Ewa") // as before, and still open
    await person.click(within(dialog).getByRole("button", { name: "Wycofaj wpis" }))
    await person.click(within(question()).getByRole("button", { name: "Wycofaj wpis" }))
    await waitFor(() => expect(dialog).not.toHaveTextContent("Auto przejęła Ewa"))
  })

  it("are all shown", async () => {
    drivers = Array.from({ length: 30 }, (_, i) => withheldSince(`N${i}`, "2026-11-22T05:10:00Z"))
    renderDashboard()
    expect(within(await section()).getAllByRole("listitem")).toHaveLength(30)
  })

  it("are handled with the keyboard alone: one key opens the note, which may be empty", async () => {
    drivers.push(withheldSince("Drugi", "2026-11-20T05:10:00Z"))
    const { person } = renderDashboard()
    const [first, second] = within(await section()).getAllByRole("link")
    first?.focus()
    await person.keyboard("j")
    expect(second).toHaveFocus()
    await person.keyboard("ko")
    expect(screen.getByRole("textbox", { name: "Notatka" })).toHaveFocus()
    expect(screen.getByRole("textbox", { name: "Notatka" })).toHaveValue("")
    await person.keyboard("{Enter}")
    expect(await screen.findByRole("heading", { name: "Nowe od wczoraj (0)" })).toBeVisible()
    const sent = requests.find(({ endpoint }) => endpoint === `POST ${pathOf(drivers[0])}`)
    expect(sent?.body).toEqual({ since: "2026-11-21T05:10:00Z", note: "" })
    await waitFor(() => expect(screen.getByRole("link", { name: "Jan Drugi" })).toHaveFocus())
  })

  it("are reached by keys from anywhere on the page, unless those are switched off", async () => {
    drivers.push(withheldSince("Drugi", "2026-11-20T05:10:00Z"))
    const { person } = renderDashboard()
    const [first, second] = within(await section()).getAllByRole("link")
    act(() => switchShortcuts(false))
    await person.keyboard("jko")
    expect(document.body).toHaveFocus()
    act(() => switchShortcuts(true))
    await person.keyboard("j")
    expect(first).toHaveFocus()
    first?.blur()
    await person.keyboard("k")
    expect(second).toHaveFocus()
    second?.blur()
    await person.keyboard("o")
    expect(screen.getByRole("form", { name: "Odsunięty od jazdy: Jan Nowy" })).toBeVisible()
  })

  it("take a note by one click", async () => {
    const { person } = renderDashboard()
    await person.click(await screen.findByRole("button", { name: /^Odsunięty od jazdy/ }))
    const preset = screen.getByRole("button", { name: "Kluczyki zdane" })
    fireEvent.click(preset, { detail: 2 }) // of a double click on the button that was there
    expect(screen.getByRole("textbox", { name: "Notatka" })).toHaveValue("")
    await person.click(preset)
    expect(await screen.findByRole("heading", { name: "Nowe od wczoraj (0)" })).toBeVisible()
    const sent = requests.find(({ endpoint }) => endpoint === `POST ${pathOf(drivers[0])}`)
    expect(sent?.body).toEqual({ since: "2026-11-21T05:10:00Z", note: "Kluczyki zdane" })
  })

  it("are acknowledged several at once, and the toast says how many were", async () => {
    drivers = ["A", "B", "C"].map((name) => withheldSince(name, "2026-11-21T05:10:00Z"))
    const [a, , c] = drivers.map(({ id }) => id)
    drivers.push(withheldSince("Znany", "2026-11-02T05:10:00Z", entry))
    const { person } = renderDashboard()
    const box = await section()
    await person.click(within(box).getByRole("checkbox", { name: /^Zaznacz wszystkich/ }))
    await person.click(within(box).getByRole("checkbox", { name: "Zaznacz: Jan B" }))
    await person.click(within(box).getByRole("button", { name: "Odsunięci od jazdy (2)" }))
    expect(within(box).getByRole("textbox", { name: "Notatka" })).toHaveFocus()
    await person.click(within(box).getByRole("button", { name: "Kluczyki zdane" }))
    expect(await screen.findByText(/^Zapisano odsunięcie od jazdy: 1 z\s2$/)).toBeVisible()
    const sent = requests.find(({ endpoint }) => endpoint === "POST /api/drivers/acknowledgements")
    const since = "2026-11-21T05:10:00Z"
    expect(sent?.body).toEqual({
      episodes: [
        { driverId: a, since },
        { driverId: c, since },
      ],
      note: "Kluczyki zdane",
    })
    await waitFor(() => expect(screen.getByRole("link", { name: "Jan B" })).toHaveFocus())

    answer = () => acknowledgeFirst(null)
    await person.click(screen.getByRole("button", { name: "Cofnij" }))
    expect(await screen.findByText("Wpis o odsunięciu od jazdy wycofany")).toBeVisible()
    expect(deletions()).toEqual([`DELETE ${pathOf(drivers[0])}/${entry.id}`])
  })

  it("stay in their place with the reason, the next one follows, and an entry is undone for a while", async () => {
    drivers.push(
      withheldSince("Drugi", "2026-11-21T04:10:00Z"),
      withheldSince("Aaa", "2026-11-22T05:10:00Z"),
    )
    answer = () => acknowledgeFirst(own)
    const { person } = renderDashboard()
    const box = await section()
    const rows = () => within(box).getAllByRole("listitem")
    const names = () => rows().map((row) => within(row).getByRole("link").textContent)
    expect(names()).toEqual(["Jan Aaa", "Jan Nowy", "Jan Drugi"])
    const solid = (name: string) =>
      within(box).getByRole("button", { name }).classList.contains("bg-brand")
    expect(solid("Odsunięty od jazdy: Jan Aaa")).toBe(true)
    expect(solid("Odsunięty od jazdy: Jan Nowy")).toBe(false)
    await person.click(within(box).getByRole("button", { name: "Odsunięty od jazdy: Jan Nowy" }))
    await person.type(screen.getByRole("textbox", { name: "Notatka" }), "Auto przejęła Ewa{Enter}")
    expect(await within(box).findByText("Nowe od wczoraj (2)")).toBeVisible()
    expect(names()).toEqual(["Jan Aaa", "Jan Nowy", "Jan Drugi"])
    expect(rows()[1]).toHaveTextContent(
      /Przekroczenie 24 punktów karnych · Stwierdzono 21\.11\.2026Data weryfikacji: .+Odsunięto: anna/,
    )
    await waitFor(() => expect(screen.getByRole("link", { name: "Jan Drugi" })).toHaveFocus())

    answer = () => acknowledgeFirst(null)
    await person.click(screen.getByRole("button", { name: "Cofnij" }))
    expect(await within(box).findByText("Nowe od wczoraj (3)")).toBeVisible()
    expect(screen.queryByRole("textbox")).toBeNull()
    expect(deletions()).toEqual([`DELETE ${pathOf(drivers[0])}/${entry.id}`])
  })

  it("have no undo for the entry of a colleague who was faster", async () => {
    const { person } = renderDashboard()
    await person.click(await screen.findByRole("button", { name: /^Odsunięty od jazdy/ }))
    await person.keyboard("{Enter}")
    expect(await screen.findByText("Zapisano odsunięcie od jazdy: Jan Nowy")).toBeVisible()
    expect(screen.queryByRole("button", { name: "Cofnij" })).toBeNull()
  })

  it("stop being new when the second midnight has passed in an open page", async () => {
    vi.setSystemTime(Date.parse("2026-11-22T23:59:30+01:00"))
    renderDashboard()
    expect(await screen.findByText("Nowe od wczoraj (1)")).toBeVisible()
    await vi.advanceTimersByTimeAsync(61_000)
    expect(await screen.findByText("Znane (1)")).toBeVisible()
  })

  it("speak English, too", async () => {
    await changeLanguage("en")
    drivers.push(withheldSince("Znany", "2026-11-02T05:10:00Z", { ...entry, createdBy: null }))
    renderDashboard()
    expect(await screen.findByRole("heading", { name: "New since yesterday (1)" })).toBeVisible()
    expect(screen.getByText("Known (1)")).toBeVisible()
    expect(
      screen.getByText("Taken off the road: somebody who has left, 03.11.2026, 09:00"),
    ).toBeVisible()
  })
})

describe("the drivers who need attention", () => {
  const unknownSince = (acknowledgement: typeof entry | null = null) =>
    driver("Adam", "Nieznany", notFound, {
      episode: { since: "2026-11-20T05:10:00Z", reasons: [], acknowledgement },
    })
  const attention = () => screen.findByRole("region", { name: "Wymaga uwagi" })
  const button = (box: HTMLElement) =>
    within(box).queryByRole("button", { name: "Odsunięty od jazdy: Adam Nieznany" })

  it("are taken off the road as well, and an entry is withdrawn", async () => {
    drivers = [unknownSince()]
    const { person } = renderDashboard()
    await person.click(button(await attention()) as HTMLElement)
    await person.type(screen.getByRole("textbox", { name: "Notatka" }), "Auto przejęła Ewa{Enter}")
    const box = await attention()
    expect(await within(box).findByText("Auto przejęła Ewa")).toBeVisible()
    expect(box).toHaveTextContent("Odsunięto: bartek@acme.test, 03.11.2026, 09:00")
    expect(button(box)).toBeNull()
    const sent = requests.find(({ endpoint }) => endpoint === `POST ${pathOf(drivers[0])}`)
    expect(sent?.body).toEqual({ since: "2026-11-20T05:10:00Z", note: "Auto przejęła Ewa" })
    await waitFor(() =>
      expect(within(box).getByRole("heading", { name: "Wymaga uwagi" })).toHaveFocus(),
    )

    answer = () => {
      drivers = [unknownSince()]
      return { body: drivers[0] as DriverOut }
    }
    await person.click(within(box).getByRole("button", { name: "Wycofaj wpis: Adam Nieznany" }))
    await person.click(screen.getByRole("button", { name: "Wycofaj wpis" }))
    await waitFor(() => expect(button(box)).toBeVisible())
  })

  it("have their details corrected first if the register does not know them", async () => {
    drivers = [unknownSince(), driver("Ewa", "Lis", unusual)]
    renderDashboard()
    const link = await screen.findByRole("link", { name: "Popraw dane: Adam Nieznany" })
    expect(link).toHaveAttribute("href", `/here?driver=${drivers[0]?.id}#edit`)
    expect(button(await attention())).toHaveClass("bg-surface") // the second of two buttons
    expect(screen.getAllByRole("link", { name: /^Popraw dane/ })).toHaveLength(1)
  })

  it("are offered the button only while something is wrong, and withheld ones are not among them", async () => {
    const soon = driver("Jan", "Ważny", verified({ expiryDate: "2026-12-01" }))
    const stale = { ...withheldSince("Nowy", "2026-11-21T05:10:00Z"), staleSince: entry.createdAt }
    drivers = [stale, soon]
    renderDashboard()
    const box = await attention()
    expect(within(box).getAllByRole("listitem")).toHaveLength(1)
    expect(within(box).queryByRole("button")).toBeNull()
    expect(screen.getAllByRole("button", { name: /^Odsunięty od jazdy/ })).toHaveLength(1)
  })
})

describe("an operator in the customer's name", () => {
  it("sees who took a driver off the road, and is offered no entry", async () => {
    const impersonator = { email: "olga@prawko.test", secondsLeft: 3600 }
    drivers = [
      withheldSince("Nowy", "2026-11-21T05:10:00Z"),
      withheldSince("Znany", "2026-11-02T05:10:00Z", entry),
      driver("Adam", "Nieznany", notFound, {
        episode: { since: "2026-11-20T05:10:00Z", reasons: [], acknowledgement: null },
      }),
    ]
    const { person } = renderDashboard({ ...anna, impersonator })
    await person.click(await screen.findByRole("button", { name: "Zobacz szczegóły: Jan Znany" }))
    const dialog = await screen.findByRole("dialog", { name: /^Szczegóły weryfikacji/ })
    expect(dialog).toHaveTextContent("bartek@acme.test, 03.11.2026, 09:00Auto przejęła Ewa")
    for (const name of [/^Odsunięty od jazdy/, /^Wycofaj wpis/]) {
      expect(screen.queryByRole("button", { name, hidden: true })).toBeNull()
    }
  })
})

describe("the answer of the day", () => {
  it.each([
    [
      "names how many may not drive, and how many are not handled",
      () => [
        withheldSince("Nowy", "2026-11-21T05:10:00Z"),
        withheldSince("Znany", "2026-11-02T05:10:00Z", entry),
      ],
      "2 kierowców nie może dziś jechać",
      "Do załatwienia: 1",
    ],
    [
      "says that all is done",
      () => [withheldSince("Znany", "2026-11-02T05:10:00Z", entry)],
      "1 kierowca nie może dziś jechać",
      "Wszystkie odsunięcia od jazdy są potwierdzone",
    ],
    [
      "reassures with when that was checked",
      () => [driver("A", "A", verified({ verifiedAt: "2026-11-22T05:12:00Z" }))],
      "1 z 1 kierowców może dziś jechać",
      /^Sprawdzono 22\.11\.2026, 06:12 \(1 z.1\)$/,
    ],
    [
      "knows nothing before the first check",
      () => [driver("A", "A")],
      "Nie wiadomo jeszcze, kto może dziś jechać",
      "nikt nie był jeszcze sprawdzany",
    ],
  ] as const)("%s", async (_, company, sentence, detail) => {
    drivers = company()
    renderDashboard()
    const heading = await screen.findByRole("heading", {
      level: 2,
      name: (name) => name.replaceAll("\u00a0", " ") === sentence,
    })
    expect(heading).toBeVisible()
    expect(screen.getByText(detail)).toBeVisible()
  })
})

describe("the line of the day", () => {
  it("names the check, the counts and the register's day", async () => {
    drivers = [
      driver("A", "A", verified({ verifiedAt: "2026-11-22T05:12:00Z" })),
      driver("B", "B", verified({ verifiedAt: "2026-11-22T05:10:00Z" })),
    ]
    renderDashboard()
    const day = await screen.findByText("Stan na dzień: 21.11.2026")
    expect(day.closest("p")).toHaveTextContent(
      /^Sprawdzono 22\.11\.2026, 06:12 \(2 z\s2\)·Stan na dzień: 21\.11\.2026$/,
    )
  })

  it("says so when the check is late", async () => {
    drivers = [driver("A", "A", verified({ verifiedAt: "2026-11-21T05:12:00Z" }))]
    renderDashboard()
    expect(await screen.findByText("sprawdzanie się opóźnia")).toBeVisible()
    expect(screen.getByText("Sprawdzono 21.11.2026, 06:12")).toBeVisible()
  })
})

describe("what expires", () => {
  it.each([
    ["2027-02-20", "001"],
    ["2027-02-21", undefined],
  ])("is counted from 90 days on: %s", async (expiryDate, counts) => {
    drivers = [driver("A", "A", verified({ expiryDate }))]
    renderDashboard()
    expect(await screen.findByRole("heading", { name: "Aktywne uprawnienia" })).toBeVisible()
    const box = screen.queryByRole("region", { name: /^Wygasa w/ })
    const figures =
      box &&
      within(box)
        .getAllByRole("link")
        .map((link) => link.textContent?.slice(-1))
    expect(figures?.join("")).toBe(counts)
  })

  it("is counted for 7, 30 and 90 days, with links to the list", async () => {
    drivers = [driver("A", "A", verified({ expiryDate: "2026-12-01" }))]
    renderDashboard()
    const box = await screen.findByRole("region", { name: /^Wygasa w\s90 dni$/ })
    const links = within(box).getAllByRole("link")
    expect(links.map((link) => link.textContent?.replaceAll("\u00a0", " "))).toEqual([
      "w ciągu 7 dni0",
      "w ciągu 30 dni1",
      "w ciągu 90 dni1",
    ])
    expect(links.map((link) => link.getAttribute("href"))).toEqual([
      "/panel/drivers?status=expiring7",
      "/panel/drivers?status=expiring",
      "/panel/drivers?status=expiring90",
    ])
  })
})
