import { act, cleanup, screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import type { DriverOut } from "~/api/types.gen"
import { queryClient } from "~/lib/query-client"
import { activeSubscription, anna, driver, verified, withheld } from "~/testing/fixtures"
import { mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import DriverList from "./driver-list"

const categories = [
  { kategoria: "C+E", dataWaznosci: "2020-10-31" },
  { kategoria: "B", dataWaznosci: null },
]
const drivers = [
  ...Array.from({ length: 30 }, (_, i) => driver("Jan", `Nowak${i}`, verified())),
  driver("Ewa", "Zatrzymana", withheld),
  driver("Anna", "O’Neil", verified({ categories })),
  driver("Adam", "Nowy"),
]

const letter = (at: number) => String.fromCharCode(97 + at)
const since = "2026-11-20T05:10:00Z"
const open = Array.from({ length: 12 }, (_, i) =>
  driver("Jan", `Zatrzymany${letter(i)}`, withheld, {
    episode: { since, reasons: [], acknowledgement: null },
  }),
)

function companyResponses(list: DriverOut[]) {
  return {
    "GET /api/drivers": { body: list },
    "GET /api/subscription": { body: activeSubscription },
    "PUT /api/user/list-view": { body: { pageSize: 25, denseRows: false } },
    "GET /api/checks/summary": {
      body: { oldestVerifiedAt: null, staleCount: 0, checkingStopped: false },
    },
  }
}

async function openList(search = "", list = drivers) {
  mockServer(companyResponses(list))
  const { router, person } = renderScreen(<DriverList />, { user: anna, path: `/here${search}` })
  await screen.findByRole("table", { hidden: true })
  const address = () => router.state.location.search
  return { router, person, address }
}

const rows = () => screen.getAllByRole("row").slice(1)
const names = () => screen.getAllByRole("rowheader").map((one) => one.textContent)
const otherGroup = () => screen.getByLabelText("Więcej")
const chip = (name: RegExp) => screen.getByRole("radio", { name })
const search = () => screen.getByLabelText("Szukaj kierowcy")

describe("the order of the list", () => {
  const sorts = () =>
    screen.getAllByRole("columnheader").map((one) => one.getAttribute("aria-sort") ?? "")

  it("is by who may drive, then by name, as the head says, until another is chosen", async () => {
    const { person, address } = await openList("?size=50")
    expect(names().slice(0, 5)).toEqual([
      "Ewa Zatrzymana",
      "Adam Nowy",
      "Anna O’Neil",
      "Jan Nowak0",
      "Jan Nowak1",
    ])
    expect(sorts()[3]).toBe("ascending")
    await person.click(screen.getByRole("button", { name: "Status" }))
    expect(names().at(-1)).toBe("Ewa Zatrzymana")
    expect(address()).toBe("?sort=-status&size=50")
  })

  it("is by the day in the groups of those who expire", async () => {
    const soon = ["2026-12-10", "2026-12-01"].map((expiryDate, at) =>
      driver("Jan", `Lis${at}`, verified({ expiryDate })),
    )
    await openList("?status=expiring90", soon)
    expect(sorts()).not.toContain("ascending")
  })
})

describe("the groups of the list", () => {
  it("are five chips with counts, of which one is chosen, and a list of the others", async () => {
    const { person, address } = await openList()
    expect(screen.getAllByRole("radio").map((one) => one.closest("label")?.textContent)).toEqual([
      "Wszyscy 33",
      "Nie mogą jechać 1",
      "Do załatwienia 1",
      "Do wyjaśnienia 1",
      "Wygasa ≤ 30 dni 0",
    ])
    expect([...otherGroup().children].map((one) => one.textContent)).toEqual([
      "Więcej",
      "Mogą jechać 31",
      "Zatrzymani 1",
      "Wymaga uwagi 1",
      "Wygasa ≤ 7 dni 0",
      "Wygasa ≤ 90 dni 0",
      "Czeka 1",
      "Aktywni 31",
    ])
    expect(chip(/Wszyscy/)).toBeChecked()

    await person.selectOptions(otherGroup(), "withheld")
    expect(chip(/Wszyscy/)).not.toBeChecked()
    expect(names()).toEqual(["Ewa Zatrzymana"])
    await waitFor(() => expect(address()).toBe("?status=withheld"))
    await person.click(chip(/Wszyscy/))
    await waitFor(() => expect(address()).toBe(""))
    expect(otherGroup()).toHaveDisplayValue("Więcej")
  })

  it("say so when they are empty, and lead back", async () => {
    const { person } = await openList("", drivers.slice(0, 3))
    await person.selectOptions(otherGroup(), "waiting")
    expect(screen.getByText("W tej grupie nikogo nie ma")).toBeVisible()
    await person.click(screen.getByRole("button", { name: "Pokaż wszystkich" }))
    expect(rows()).toHaveLength(3)
  })
})

describe("the address of the list", () => {
  it("is read when the list opens", async () => {
    await openList("?status=valid&q=nowak&sort=-lastName&page=2&size=25")
    expect(otherGroup()).toHaveDisplayValue(/Aktywni/)
    expect(search()).toHaveValue("nowak")
    expect(screen.getByText("Strona 2 z 2")).toBeInTheDocument()
    expect(rows()).toHaveLength(5)
    expect(screen.getByRole("columnheader", { name: "Nazwisko" })).toHaveAttribute(
      "aria-sort",
      "descending",
    )
  })

  it("follows the page, its size, the sort and, after a pause, the search", async () => {
    const { person, address } = await openList()
    await person.click(screen.getByRole("button", { name: "Następna" }))
    await waitFor(() => expect(address()).toBe("?page=2"))
    await person.selectOptions(screen.getByLabelText("Pozycji na stronę"), "25")
    await waitFor(() => expect(address()).toBe("?size=25"))
    await person.click(screen.getByRole("button", { name: "Nazwisko" }))
    await waitFor(() => expect(address()).toBe("?sort=lastName&size=25"))
    await person.type(search(), "neil")
    expect(search()).toHaveValue("neil")
    expect(search()).toHaveFocus()
    await waitFor(() => expect(address()).toBe("?q=neil&sort=lastName&size=25"))
    expect(search()).toHaveFocus()
  })

  it("is remembered for who comes back by the menu, and yields to another link", async () => {
    const first = await openList()
    await first.person.selectOptions(otherGroup(), "valid")
    await first.person.selectOptions(screen.getByLabelText("Pozycji na stronę"), "25")
    await waitFor(() => expect(first.address()).toBe("?status=valid&size=25"))
    cleanup()

    const second = await openList()
    expect(otherGroup()).toHaveDisplayValue(/Aktywni/)
    await waitFor(() => expect(second.address()).toBe("?status=valid&size=25"))
    await second.router.navigate("/here?status=withheld")
    await waitFor(() => expect(otherGroup()).toHaveDisplayValue(/Zatrzymani/))
    expect(screen.getByLabelText("Pozycji na stronę")).toHaveValue("25")
    cleanup()

    await openList("?status=all")
    expect(chip(/Wszyscy/)).toBeChecked()
  })

  it("keeps the view when a dialog is closed that it opened", async () => {
    const { person, address } = await openList("?add&status=valid")
    await person.keyboard("{Escape}")
    await waitFor(() => expect(address()).toBe("?status=valid"))
  })

  it("keeps the open part of the driver beside the list", async () => {
    const { person, router, address } = await openList("#history")
    await person.type(search(), "neil")
    await waitFor(() => expect(address()).toBe("?q=neil"))
    await person.click(screen.getByRole("button", { name: "Nazwisko" }))
    await waitFor(() => expect(address()).toBe("?q=neil&sort=lastName"))
    expect(router.state.location.hash).toBe("#history")
  })
})

describe("the choice of drivers", () => {
  it("takes all of a filter, on every page, by one click, and acknowledges those who need it", async () => {
    const requests = mockServer({
      ...companyResponses([...drivers, ...open]),
      "POST /api/drivers/acknowledgements": { body: [] },
    })
    const { person } = renderScreen(<DriverList />, { user: anna, path: "/here?q=jan" })
    await person.click(await screen.findByRole("button", { name: "Zaznacz wszystkich (42)" }))
    expect(screen.getByText("Zaznaczono 42 kierowców")).toBeVisible()
    await person.click(screen.getByRole("button", { name: "Odsunięci od jazdy (12)" }))
    await person.keyboard("{Enter}")
    await waitFor(() => expect(screen.queryByText(/^Zaznaczono/)).toBeNull())
    const sent = requests.find(({ endpoint }) => endpoint.startsWith("POST"))?.body
    expect(sent).toEqual({ episodes: open.map(({ id }) => ({ driverId: id, since })), note: "" })
  })
})

describe("the pages of the list", () => {
  it("are opened by their number", async () => {
    const { person } = await openList()
    const page = screen.getByLabelText("Przejdź do strony")
    await person.clear(page)
    await person.type(page, "3{Enter}")
    expect(screen.getByText("Strona 3 z 4")).toBeInTheDocument()
    await person.clear(page)
    await person.type(page, "99{Enter}")
    expect(screen.getByText("Strona 4 z 4")).toBeInTheDocument()
    await person.clear(page)
    await person.tab()
    expect(page).toHaveValue("4")
  })
})

describe("how a person wants the list", () => {
  it("is the server's, and a change is saved", async () => {
    const listView = { pageSize: 25, denseRows: false } as const
    const requests = mockServer({
      ...companyResponses(drivers),
      "PUT /api/user/list-view": (body) => ({ body }),
    })
    const { person } = renderScreen(<DriverList />, { user: { ...anna, listView } })
    const dense = await screen.findByRole("checkbox", { name: "Gęste wiersze" })
    expect(rows()).toHaveLength(25)
    await person.click(dense)
    expect(screen.getByRole("table")).toHaveAttribute("data-dense")
    await person.selectOptions(screen.getByLabelText("Pozycji na stronę"), "200")
    expect(rows()).toHaveLength(33)
    const saved = requests.filter(({ endpoint }) => endpoint.startsWith("PUT"))
    expect(saved.map(({ body }) => body)).toEqual([
      { pageSize: 25, denseRows: true },
      { pageSize: 200, denseRows: true },
    ])
  })
})

describe("a row of the list", () => {
  it("has its name as header, without glued texts", async () => {
    await openList("?q=neil")
    const [row] = rows()
    expect(within(row as HTMLElement).getByRole("rowheader")).toHaveTextContent("Anna O’Neil")
    expect(row).toHaveTextContent("C+E wygasła 31.10.2020")
    expect(within(row as HTMLElement).getByTitle("Ważne do: 31.10.2020")).toHaveTextContent(
      "C+E (wygasła)",
    )
  })

  it("takes another driver, but keeps the one that has the focus or an open menu", async () => {
    const all = Array.from({ length: 20 }, (_, i) => driver("Jan", `Lis-${letter(i)}`, verified()))
    let list = all
    mockServer({ ...companyResponses([]), "GET /api/drivers": () => ({ body: list }) })
    const { person } = renderScreen(<DriverList />, { user: anna })
    await screen.findByRole("table", { hidden: true })
    const elements = rows()
    await person.click(screen.getByRole("button", { name: "Następna" }))
    expect(names()[0]).toBe("Jan Lis-k")
    expect(rows()).toEqual(elements)

    const show = async (shown: DriverOut[]) => {
      list = shown
      await act(() => queryClient.invalidateQueries())
      await screen.findByText(new RegExp(`^${shown.length} kierowców`))
    }
    screen.getByRole("link", { name: "Jan Lis-m" }).focus()
    await show(all.slice(1))
    expect(document.activeElement).toHaveAccessibleName("Jan Lis-m")
    await show(all.slice(0, 11))
    expect(document.body).toHaveFocus()

    await person.click(screen.getByRole("button", { name: "Więcej: Jan Lis-k" }))
    expect(screen.getByRole("menu")).toBeVisible()
    await show(all.slice(11))
    expect(screen.queryByRole("menu")).toBeNull()
  })

  it("leads to the driver by a click, unless it is on a button", async () => {
    const { person, router } = await openList("?q=neil")
    await person.click(screen.getByRole("button", { name: "Więcej: Anna O’Neil" }))
    expect(router.state.location.pathname).toBe("/here")
    await person.keyboard("{Escape}")
    await person.click(screen.getByText("Wydany"))
    expect(router.state.location.pathname).toBe(`/panel/drivers/${drivers[31]?.id}`)
  })
})

describe("the keys of the list", () => {
  const focused = () => document.activeElement?.getAttribute("aria-label")

  it("move between rows, of which one is in the order of Tab, and open it", async () => {
    const { person, router } = await openList("", drivers.slice(0, 10))
    search().focus()
    await person.keyboard("{ArrowDown}")
    expect(focused()).toBe("Jan Nowak0")
    await person.keyboard("{ArrowDown}{ArrowDown}{ArrowUp}")
    expect(focused()).toBe("Jan Nowak1")
    await person.tab()
    expect(focused()).toBe("Historia weryfikacji: Jan Nowak1")
    await person.tab()
    expect(focused()).toBe("Więcej: Jan Nowak1")
    await person.keyboard("{Enter}")
    expect(await screen.findByRole("menuitem", { name: "Otwórz" })).toHaveFocus()
    await person.keyboard("{Escape}")
    expect(focused()).toBe("Więcej: Jan Nowak1")
    await person.tab()
    expect(screen.getByLabelText("Pozycji na stronę")).toHaveFocus()
    await person.tab({ shift: true })
    await person.keyboard("{End}")
    expect(focused()).toBe("Jan Nowak9")
    await person.keyboard("{ArrowDown}{Home}")
    expect(focused()).toBe("Jan Nowak0")
    await person.keyboard("{Enter}")
    expect(router.state.location.pathname).toBe(`/panel/drivers/${drivers[0]?.id}`)
  })

  it("enter a fresh list, and choose a row", async () => {
    const { person } = await openList("", drivers.slice(0, 10))
    await person.keyboard("{ArrowDown}")
    expect(focused()).toBe("Jan Nowak0")
    for (const key of [" ", "x"]) {
      await person.keyboard(key)
      const box = screen.getByRole("checkbox", { name: "Zaznacz: Jan Nowak0" })
      expect((box as HTMLInputElement).checked).toBe(key === " ")
    }
  })

  it("search, add and show their list", async () => {
    const { person } = await openList()
    await person.keyboard("/")
    expect(search()).toHaveFocus()
    await person.keyboard("n?")
    expect(search()).toHaveValue("n?")
    expect(screen.queryByRole("dialog")).toBeNull()
    search().blur()
    await person.keyboard("?")
    expect(screen.getByRole("dialog", { name: "Skróty klawiszowe" })).toBeVisible()
    await person.keyboard("n")
    await person.keyboard("{Escape}")
    expect(screen.queryByRole("dialog")).toBeNull()
    await person.keyboard("n")
    expect(screen.getByRole("dialog", { name: "Dodaj nowego kierowcę" })).toBeVisible()
  })

  it("can be switched off", async () => {
    const { person } = await openList()
    await person.keyboard("?")
    await person.click(screen.getByRole("switch", { name: "Skróty z jednym znakiem" }))
    await person.keyboard("{Escape}")
    await person.keyboard("n")
    expect(screen.queryByRole("dialog")).toBeNull()
    await person.click(screen.getByRole("button", { name: "Skróty klawiszowe" }))
    const toggle = screen.getByRole("switch", { name: "Skróty z jednym znakiem" })
    expect(toggle).not.toBeChecked()
    await person.click(toggle) // for other tests: it holds until the page is loaded again
  })
})
