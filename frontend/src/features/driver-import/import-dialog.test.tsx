import { fireEvent, screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it, vi } from "vitest"
import type { ImportColumnOut, ImportPreviewOut, ImportRowOut } from "~/api/types.gen"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { FirstDrivers, ImportDialog } from "./import-dialog"
import { assignField, chooseRows } from "./import-table"

const previewCall = "POST /api/drivers/import/preview"
const importCall = "POST /api/drivers/import"

function ready(row: number): ImportRowOut {
  return {
    row,
    state: "ready",
    firstName: "Jan",
    lastName: `Nowak${row}`,
    licenseNumber: `AB00000${row}`,
    neededCategories: "",
    cells: [],
    problems: [],
  }
}

const mistaken: ImportRowOut = {
  ...ready(4),
  state: "invalid",
  problems: [{ field: "licenseNumber", column: 3, message: "To wygląda na numer z pola 5." }],
}

const columnOf = (heading: string, field: ImportColumnOut["field"]): ImportColumnOut => ({
  heading,
  sample: `${heading} 1`,
  field,
  isGuess: false,
})
const columns = [
  columnOf("Imię", "firstName"),
  columnOf("Nazwisko", "lastName"),
  columnOf("Numer", "licenseNumber"),
]

const previewOf = (rows: ImportRowOut[], driverCount = 3): ImportPreviewOut => ({
  columns,
  rows,
  ready: rows.filter(({ state }) => state === "ready").length,
  driverCount,
  driverLimit: 5,
})

async function renderDialog() {
  const onClose = vi.fn()
  const view = renderScreen(
    <ImportDialog
      mode="paste"
      plan={{ drivers: 3, limit: 5 }}
      onDone={onClose}
      onClose={onClose}
    />,
  )
  await screen.findByLabelText("Wiersze z arkusza")
  return { ...view, onClose }
}

type Person = Awaited<ReturnType<typeof renderDialog>>["person"]

async function paste(person: Person, text: string) {
  await person.click(await screen.findByLabelText("Wiersze z arkusza"))
  await person.paste(text)
}

describe("the import of drivers", () => {
  it("focuses its first field when it comes after its dialog", async () => {
    await renderDialog()
    expect(screen.getByLabelText("Wiersze z arkusza")).toHaveFocus()
  })

  it("shows row, column and reason of a mistake, and adds the others", async () => {
    const requests = mockServer({
      [previewCall]: { body: previewOf([ready(2), ready(3), mistaken]) },
      [importCall]: { status: 201, body: { added: 2, driverCount: 5 } },
    })
    const { person, onClose } = await renderDialog()
    expect(screen.getByRole("button", { name: "Dodaj kierowców" })).toBeDisabled()

    await paste(person, "Jan\tNowak\tAB000002")
    const item = (await screen.findByText("wiersz 4")).closest("li") as HTMLElement
    expect(item).toHaveTextContent("kolumna 3: To wygląda na numer z pola 5.")
    expect(within(item).queryByRole("checkbox")).toBeNull()
    expect(screen.getByText(/Pominięte wiersze: 1 · po dodaniu 5 z 5 w planie/)).toBeVisible()

    await person.click(screen.getByRole("button", { name: "Dodaj 2 kierowców" }))
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(requests.find(({ endpoint }) => endpoint === importCall)?.body).toEqual({
      text: "Jan\tNowak\tAB000002",
      columns: ["firstName", "lastName", "licenseNumber"],
      rows: [2, 3],
    })
  })

  it("shows a guess, and imports by the columns and the doubtful row that a person confirmed", async () => {
    const guessed = {
      ...previewOf([ready(1), { ...ready(2), state: "doubtful" as const }]),
      columns: [
        { ...columnOf("", "lastNameFirst"), sample: "Kowalski Jan", isGuess: true },
        columnOf("Numer", "licenseNumber"),
        columnOf("Baza", null),
        { ...columnOf("", null), sample: "" },
      ],
    }
    const requests = mockServer({
      [previewCall]: { body: guessed },
      [importCall]: { status: 201, body: { added: 2, driverCount: 5 } },
    })
    const { person } = await renderDialog()
    await paste(person, "x")
    const section = await screen.findByRole("region", { name: "Kolumny" })
    expect(section).toHaveTextContent("kolumna 1zgadujemynp. Kowalski Jan")
    expect(within(section).getByText("Niewykorzystane kolumny: Baza")).toBeVisible()
    expect(within(section).getAllByRole("combobox", { hidden: true })).toHaveLength(3)

    await person.click(within(section).getByRole("button", { name: "Kolumny się zgadzają" }))
    const doubtful = () => screen.getAllByRole("checkbox")[0] as HTMLElement
    await person.click(doubtful())
    await person.selectOptions(within(section).getByLabelText(/^kolumna 1/), "Imię i nazwisko")
    await waitFor(() =>
      expect(requests.map(({ body }) => body)).toContainEqual({
        text: "x",
        columns: ["firstNameFirst", "licenseNumber", null, null],
      }),
    )
    await waitFor(() => expect(doubtful()).not.toBeChecked()) // it was divided otherwise
    await person.click(doubtful())
    await person.click(await screen.findByRole("button", { name: "Dodaj 2 kierowców" }))
    expect(requests.at(-1)?.body).toMatchObject({ rows: [1, 2] })
  })

  it("sends a corrected cell to be checked, imports it, and saves refused rows as a file", async () => {
    const saved: Blob[] = []
    URL.createObjectURL = vi.fn((file: Blob) => `blob:${saved.push(file)}`)
    const sum = { ...ready(5), state: "skipped" as const }
    const requests = mockServer({
      [previewCall]: { body: previewOf([ready(2), { ...mistaken, cells: ["Jan", "=1"] }, sum]) },
      [importCall]: { status: 201, body: { added: 1, driverCount: 4 } },
    })
    const { person } = await renderDialog()
    await paste(person, "x")
    const first = (await screen.findAllByRole("listitem")).find((one) =>
      one.textContent?.includes("wiersz"),
    )
    expect(first).toHaveTextContent("wiersz 4")
    expect(screen.getByRole("button", { name: "Z błędami: 1" })).toBeVisible()
    expect(screen.getByRole("button", { name: "Wszystkie: 2" })).toBeVisible() // not the sum

    await person.click(screen.getByRole("button", { name: "Pobierz wiersze z błędami" }))
    expect(await saved[0]?.text()).toBe(
      "Imię;Nazwisko;Numer;Powód\r\nJan;'=1;;To wygląda na numer z pola 5.\r\n",
    )
    const cell = screen.getByRole("textbox", { name: "Numer prawa jazdy" })
    await person.clear(cell)
    await person.type(cell, "AB000009{Enter}")
    const corrections = [{ row: 4, field: "licenseNumber", text: "AB000009" }]
    await waitFor(() => expect(requests.at(-1)?.body).toEqual({ text: "x", corrections }))
    const add = await screen.findByRole("button", { name: "Dodaj 1 kierowcę" })
    await waitFor(() => expect(add).toBeEnabled())
    await person.click(add)
    await waitFor(() => expect(requests.at(-1)?.body).toMatchObject({ rows: [2], corrections }))
  })

  it("opens on what needs a person, and Enter leads through it to the button that adds", async () => {
    const wrong = [4, 5].map((row) => ({ ...mistaken, row }))
    const requests = mockServer({
      [previewCall]: (body) => {
        const corrected = (body as { corrections?: { row: number }[] }).corrections ?? []
        const rows = [4, 5].map((row) =>
          corrected.some((one) => one.row === row) ? ready(row) : (wrong[row - 4] as ImportRowOut),
        )
        return { body: { ...previewOf([ready(2), ...rows]), driverLimit: 9 } }
      },
    })
    const { person } = await renderDialog()
    await paste(person, "x")
    await screen.findByText("wiersz 4")
    expect(screen.queryByText("wiersz 2")).toBeNull()
    expect(screen.queryByLabelText("Wiersze z arkusza")).toBeNull()
    expect(screen.getByText("3 wiersze ze schowka")).toBeVisible()
    const cells = () => screen.getAllByRole("textbox", { name: "Numer prawa jazdy" })
    await waitFor(() => expect(cells()[0]).toHaveFocus())
    cells()[0]?.blur()
    await person.click(screen.getByRole("button", { name: /^Do poprawienia: 2 \(wiersze 4, 5\)/ }))
    expect(cells()[0]).toHaveFocus()
    await person.clear(cells()[0] as HTMLElement)
    await person.type(cells()[0] as HTMLElement, "AB000014{Enter}")
    expect(cells()[1]).toHaveFocus()
    await person.clear(cells()[1] as HTMLElement)
    await person.type(cells()[1] as HTMLElement, "AB000015{Enter}")
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Dodaj 3 kierowców" })).toHaveFocus(),
    )
    expect(requests.at(-1)?.body).toMatchObject({ corrections: [{ row: 4 }, { row: 5 }] })
  })

  it("chooses as many rows as the plan has room for, and says so", async () => {
    mockServer({ [previewCall]: { body: previewOf([ready(1), ready(2), ready(3)]) } })
    const { person } = await renderDialog()
    await paste(person, "x")
    expect(await screen.findByText(/Wolne miejsca w planie: 2, poprawne wiersze: 3/)).toBeVisible()
    const boxes = screen.getAllByRole("checkbox")
    expect(boxes.map((box) => (box as HTMLInputElement).checked)).toEqual([true, true, false])
    await person.click(boxes[2] as HTMLElement)
    expect(screen.getByRole("button", { name: "Dodaj 3 kierowców" })).toBeDisabled()
    await person.click(boxes[0] as HTMLElement)
    expect(screen.getByRole("button", { name: "Dodaj 2 kierowców" })).toBeEnabled()
  })

  it("says why a table cannot be read", async () => {
    const message = "Potrzebne są trzy kolumny: imię, nazwisko i numer prawa jazdy"
    mockServer({ [previewCall]: errorResponse(422, "unreadable_import", message) })
    const { person } = await renderDialog()
    await paste(person, "Jan Kowalski")
    expect(await screen.findByText(message)).toBeVisible()
    expect(screen.getByLabelText("Wiersze z arkusza")).toBeInvalid()
  })

  it("sends a file, and refuses one that is too large", async () => {
    const requests = mockServer({ [previewCall]: { body: previewOf([ready(1)]) } })
    const { person } = await renderDialog()
    await person.click(screen.getByRole("button", { name: "Importuj plik" }))
    const field = screen.getByLabelText("Plik XLSX albo CSV")
    await person.upload(field, new File([new Uint8Array(2_200_000)], "wielki.csv"))
    expect(await screen.findByText(/Plik jest za duży/)).toBeVisible()
    await person.upload(screen.getByLabelText("Plik XLSX albo CSV"), new File(["a;b;c"], "k.csv"))
    expect(await screen.findByText("k.csv")).toBeVisible()
    await waitFor(() =>
      expect(requests.map(({ body }) => body)).toEqual([{ contentBase64: btoa("a;b;c") }]),
    )
  })

  it.each([
    ["Escape", (person: Person) => person.keyboard("{Escape}")],
    [
      "its button",
      (person: Person) =>
        person.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Zamknij" })),
    ],
    [
      "a click beside it",
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 600)) // no second click of two
        const overlay = document.querySelector(".bg-overlay") as HTMLElement
        fireEvent.pointerDown(overlay)
        fireEvent.click(overlay)
      },
    ],
  ])("asks before %s throws the rows away, and closes at once without any", async (_, close) => {
    mockServer({ [previewCall]: { body: previewOf([ready(1)]) } })
    const { person, onClose } = await renderDialog()
    await paste(person, "x")
    await person.click(await screen.findByRole("button", { name: "Zmień" }))
    await close(person)
    expect(await screen.findByText("Odrzucić wpisane dane?")).toBeVisible()
    expect(onClose).not.toHaveBeenCalled()

    await person.keyboard("{Escape}") // answers the question: keep
    await waitFor(() => expect(screen.queryByText("Odrzucić wpisane dane?")).toBeNull())
    expect(screen.getByLabelText("Wiersze z arkusza")).toHaveValue("x")
    expect(onClose).not.toHaveBeenCalled()

    await person.clear(screen.getByLabelText("Wiersze z arkusza"))
    await close(person)
    await waitFor(() => expect(onClose).toHaveBeenCalled())
  })

  it("asks before Back throws the rows away", async () => {
    mockServer({ [previewCall]: { body: previewOf([ready(1)]) } })
    const { person, onClose, router } = await renderDialog()
    await paste(person, "x")
    await router.navigate(-1)
    expect(await screen.findByText("Odrzucić wpisane dane?")).toBeVisible()
    expect(onClose).not.toHaveBeenCalled()
    await person.click(screen.getByRole("button", { name: "Odrzuć" }))
    expect(onClose).toHaveBeenCalledOnce()
  })
})

describe("the import on the page of a company without drivers", () => {
  function renderFirst() {
    mockServer({
      [previewCall]: { body: previewOf([ready(2)]) },
      [importCall]: { status: 201, body: { added: 1, driverCount: 1 } },
    })
    const plan = { drivers: 0, limit: 5 }
    const onDone = vi.fn()
    const view = renderScreen(<FirstDrivers title="Brak kierowców" plan={plan} onDone={onDone} />)
    onDone.mockImplementation(() => view.router.navigate("/panel/account"))
    return view
  }

  it("asks nothing when the page is left because they are added", async () => {
    const { person, router } = renderFirst()
    await paste(person, "Jan\tNowak\tAB000002")
    await person.click(await screen.findByRole("button", { name: "Dodaj 1 kierowcę" }))
    await waitFor(() => expect(router.state.location.pathname).toBe("/panel/account"))
  })

  it("asks before pasted rows are lost, but not at the end of the session", async () => {
    const { person, router } = renderFirst()
    const reload = () => fireEvent(window, new Event("beforeunload", { cancelable: true }))
    expect(reload()).toBe(true)
    await paste(person, "Jan\tNowak\tAB000002")
    await person.click(await screen.findByRole("button", { name: "Zmień" }))
    expect(screen.getByLabelText("Wiersze z arkusza")).toHaveFocus()
    expect(reload()).toBe(false)

    await router.navigate("/panel/account")
    await person.click(await screen.findByRole("button", { name: "Wróć do formularza" }))
    expect(screen.getByLabelText("Wiersze z arkusza")).toHaveValue("Jan\tNowak\tAB000002")
    await router.navigate("/panel/account")
    await person.click(await screen.findByRole("button", { name: "Odrzuć" }))
    await waitFor(() => expect(router.state.location.pathname).toBe("/panel/account"))

    await router.navigate("/here")
    await screen.findByLabelText("Wiersze z arkusza")
    await paste(person, "Jan\tNowak\tAB000002")
    await router.navigate("/auth/login")
    expect(router.state.location.pathname).toBe("/auth/login")
  })
})

describe("the columns", () => {
  it.each([
    [["firstName", "lastName"], 0, "lastName", ["lastName", "firstName"]],
    [["firstName", "lastName", null], 2, "lastName", ["firstName", null, "lastName"]],
    [["firstName", "lastName"], 0, "lastNameFirst", ["lastNameFirst", null]],
    [["lastNameFirst", null], 1, "firstName", [null, "firstName"]],
    [["lastNameFirst", "firstName"], 1, "firstNameFirst", [null, "firstNameFirst"]],
    [["licenseNumber", null], 0, null, [null, null]],
  ] as const)("%j with column %i as %s are %j", (fields, place, field, wanted) => {
    expect(assignField([...fields], place, field)).toEqual(wanted)
  })
})

describe("the chosen rows", () => {
  it("are those without mistakes, up to the limit, unless the user decides", () => {
    const preview = previewOf([mistaken, ready(5), ready(6), ready(7)])
    expect(chooseRows(preview, new Map())).toEqual([5, 6])
    expect(
      chooseRows(
        preview,
        new Map([
          [5, false],
          [7, true],
        ]),
      ),
    ).toEqual([6, 7])
    expect(chooseRows({ ...preview, driverCount: 9 }, new Map())).toEqual([])
    const doubtful = previewOf([{ ...ready(5), state: "doubtful" }, ready(6)])
    expect(chooseRows(doubtful, new Map())).toEqual([6])
    expect(chooseRows(doubtful, new Map([[5, true]]))).toEqual([5, 6])
  })
})
