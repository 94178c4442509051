import { useMutation } from "@tanstack/react-query"
import { fireEvent, screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it, vi } from "vitest"
import type { DriverOut } from "~/api/types.gen"
import type { DriverFields } from "~/entities/driver/driver-fields"
import { useAddDriver } from "~/entities/driver/use-driver-mutations"
import { tieWords } from "~/lib/line-ends"
import { driver, verified } from "~/testing/fixtures"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { EditDriverDialog } from "./driver-dialogs"
import { DriverForm } from "./driver-form"

const jan = driver("Jan", "Kowalski", verified())

function AddForm({ onDone }: { onDone: () => void }) {
  return <DriverForm mutation={useAddDriver()} onDone={onDone} />
}

function NextForm({ onDone, onNext }: { onDone: () => void; onNext: () => void }) {
  return <DriverForm mutation={useAddDriver()} onDone={onDone} onNext={onNext} />
}

type EditFormProps = { save: (fields: DriverFields) => Promise<DriverOut>; onDone: () => void }

function EditForm({ save, onDone }: EditFormProps) {
  const mutation = useMutation({ mutationFn: (fields: DriverFields) => save(fields) })
  return <DriverForm driver={jan} mutation={mutation} onDone={onDone} />
}

async function submitDriver(person: ReturnType<typeof renderScreen>["person"], number: string) {
  await person.type(screen.getByLabelText("Imię"), "Jan")
  await person.type(screen.getByLabelText("Nazwisko"), "Kowalski")
  await person.type(screen.getByLabelText("Numer prawa jazdy"), number)
  await person.click(screen.getByRole("button", { name: "Zapisz" }))
}

/** The alert inside the form; a toast with the same text is elsewhere on the page. */
const inForm = () => within(screen.getByRole("form")).findByRole("alert")

describe("the driver form", () => {
  it("reports missing fields without sending a request", async () => {
    const requests = mockServer({})
    const { person } = renderScreen(<AddForm onDone={vi.fn()} />)
    await person.click(screen.getByRole("button", { name: "Zapisz" }))

    expect(await screen.findByText("Imię jest wymagane")).toBeVisible()
    expect(screen.getByText("Nazwisko jest wymagane")).toBeVisible()
    expect(screen.getByText("Numer prawa jazdy jest wymagany")).toBeVisible()
    expect(screen.getByLabelText("Imię")).toHaveFocus()
    expect(requests).toEqual([])
  })

  it("says at once, without a network, that nothing was saved, and keeps what was typed", async () => {
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false)
    const requests = mockServer({}) // which answers nobody
    const onDone = vi.fn()
    const { person } = renderScreen(<AddForm onDone={onDone} />)
    fireEvent(window, new Event("offline"))
    await submitDriver(person, "AB123456")

    const said = /^Nie masz połączenia z internetem, więc tej zmiany nie wysłano ani nie zapisano/
    expect(await screen.findAllByText(said)).toHaveLength(2) // in the form, and as a toast
    expect(screen.getByLabelText("Imię")).toHaveValue("Jan")
    expect(screen.getByLabelText("Numer prawa jazdy")).toHaveValue("AB123456")
    vi.restoreAllMocks()
    fireEvent(window, new Event("online"))
    await Promise.resolve()
    expect(requests).toHaveLength(1) // it is not sent by itself once the network is back
    expect(onDone).not.toHaveBeenCalled()
  })

  it("reports an invalid licence number format", async () => {
    mockServer({})
    const { person } = renderScreen(<AddForm onDone={vi.fn()} />)
    await submitDriver(person, "A1234567")

    const number = screen.getByLabelText("Numer prawa jazdy")
    await waitFor(() => expect(number).toBeInvalid())
    expect(number).toHaveAccessibleDescription(/^Numer prawa jazdy musi być w formacie AA123456/)
  })

  it("limits the number to eight characters and strips spaces from a pasted one", async () => {
    mockServer({})
    const { person } = renderScreen(<AddForm onDone={vi.fn()} />)
    const number = screen.getByLabelText("Numer prawa jazdy")
    expect(number).toHaveAttribute("maxlength", "8")
    expect(number).toHaveAttribute("placeholder", "AA123456")
    await person.click(number)
    await person.paste(" ab 123-456 ")
    expect(number).toHaveValue("AB123456")
    await person.keyboard("7")
    expect(number).toHaveValue("AB123456")
    await person.clear(number)
    await person.paste("AB1234567") // no part of it is another number
    expect(number).toHaveValue("AB1234567")
  })

  it("drops blanks and dashes while they are typed, instead of cutting the number", async () => {
    mockServer({})
    const { person } = renderScreen(<AddForm onDone={vi.fn()} />)
    const number = screen.getByLabelText("Numer prawa jazdy")
    await person.type(number, "ab 123-456")
    expect(number).toHaveValue("AB123456")
  })

  it.each(["00123/15/1465", "00123", "00123151465"])(
    "tells that %s is of field 5",
    async (text) => {
      mockServer({})
      const { person } = renderScreen(<AddForm onDone={vi.fn()} />)
      const number = screen.getByLabelText("Numer prawa jazdy")
      await person.click(number)
      await person.paste(text)
      expect(number).toBeInvalid()
      expect(number).toHaveAccessibleDescription(/^To wygląda na numer z\spola 5\./)
      await person.clear(number)
      expect(number).toBeValid()
    },
  )

  it("goes on with the next driver, with the focus in the first field", async () => {
    const requests = mockServer({ "POST /api/drivers": { status: 201, body: jan } })
    const done = vi.fn()
    const next = vi.fn()
    const { person } = renderScreen(<NextForm onDone={done} onNext={next} />)
    await person.type(screen.getByLabelText("Imię"), "Jan")
    await person.type(screen.getByLabelText("Nazwisko"), "Kowalski")
    await person.type(screen.getByLabelText("Numer prawa jazdy"), "AB123456")
    await person.click(screen.getByRole("button", { name: /^Zapisz i\sdodaj następnego$/ }))
    await waitFor(() => expect(next).toHaveBeenCalledOnce())
    expect(done).not.toHaveBeenCalled()
    expect(requests).toHaveLength(1)
    expect(screen.getByLabelText("Imię")).toHaveFocus()
    expect(screen.getByLabelText("Imię")).toHaveValue("")
  })

  it("upper-cases the number while it is typed, ASCII letters only", async () => {
    mockServer({})
    const { person } = renderScreen(<AddForm onDone={vi.fn()} />)
    const number = screen.getByLabelText("Numer prawa jazdy")
    await person.type(number, "aß12")
    expect(number).toHaveValue("Aß12")
  })

  it("adds a driver with an upper-case number, reports it and resets the form", async () => {
    const requests = mockServer({ "POST /api/drivers": { status: 201, body: jan } })
    const done = vi.fn()
    const { person } = renderScreen(<AddForm onDone={done} />)
    await submitDriver(person, "ab123456")

    await waitFor(() => expect(done).toHaveBeenCalledOnce())
    const added = {
      firstName: "Jan",
      lastName: "Kowalski",
      licenseNumber: "AB123456",
      neededCategories: [],
    }
    expect(requests).toMatchObject([{ endpoint: "POST /api/drivers", body: added }])
    expect(screen.getByText("Kierowca został dodany")).toBeInTheDocument()
    expect(screen.getByLabelText("Imię")).toHaveValue("")
    expect(screen.getByLabelText("Numer prawa jazdy")).toHaveValue("")
  })

  it.each([
    [422, "invalid_driver_data", "Nazwisko jest za długie", "Nazwisko jest za długie"],
    [
      403,
      "driver_limit_exceeded",
      "Za dużo",
      "Osiągnięto limit kierowców. Rozszerz swój plan, aby dodać więcej kierowców.",
    ],
    [500, "server_error", "Ups", "Nie udało się dodać kierowcy"],
  ])("on %i %s keeps showing the specified message", async (status, key, said, shown) => {
    mockServer({ "POST /api/drivers": errorResponse(status, key, said) })
    const done = vi.fn()
    const { person } = renderScreen(<AddForm onDone={done} />)
    await submitDriver(person, "AB123456")

    expect(await inForm()).toHaveTextContent(shown)
    expect(screen.getByText("Błąd")).toBeInTheDocument()
    expect(screen.getByLabelText("Imię")).toHaveValue("Jan")
    expect(done).not.toHaveBeenCalled()
  })

  it("reports a taken number at its field and focuses it", async () => {
    mockServer({ "POST /api/drivers": errorResponse(409, "license_number_exists", "Ten już mamy") })
    const { person } = renderScreen(<AddForm onDone={vi.fn()} />)
    await submitDriver(person, "AB123456")

    const number = screen.getByLabelText("Numer prawa jazdy")
    await waitFor(() => expect(number).toHaveFocus())
    expect(number).toHaveAccessibleDescription(/^Numer prawa jazdy już istnieje/)
    expect(within(screen.getByRole("form")).queryByRole("alert")).toBeNull()
    expect(screen.getAllByText("Numer prawa jazdy już istnieje")).toHaveLength(2)
  })

  it("shows the server's error at the name field", async () => {
    const fields = { lastName: "Nazwisko może mieć najwyżej 80 znaków" }
    const body = { error: "invalid_driver_data", message: fields.lastName, fields }
    mockServer({ "POST /api/drivers": { status: 422, body } })
    const { person } = renderScreen(<AddForm onDone={vi.fn()} />)
    await submitDriver(person, "AB123456")
    await waitFor(() => expect(screen.getByLabelText("Nazwisko")).toHaveFocus())
    expect(screen.getByLabelText("Nazwisko")).toHaveAccessibleDescription(tieWords(fields.lastName))
  })

  it("treats any error that mentions a limit as the driver limit", async () => {
    mockServer({ "POST /api/drivers": errorResponse(403, "something_new", "the limit is reached") })
    const { person } = renderScreen(<AddForm onDone={vi.fn()} />)
    await submitDriver(person, "AB123456")
    expect(await inForm()).toHaveTextContent(/^Osiągnięto limit kierowców\./)
  })

  it("adds the server's message to the default one", async () => {
    mockServer({
      "POST /api/drivers": errorResponse(403, "subscription_required", "Wymagany plan"),
    })
    const { person } = renderScreen(<AddForm onDone={vi.fn()} />)
    await submitDriver(person, "AB123456")
    expect(await inForm()).toHaveTextContent("Nie udało się dodać kierowcyWymagany plan")
  })

  it("edits with the given mutation and adds nothing", async () => {
    const requests = mockServer({})
    const save = vi.fn().mockResolvedValue(jan)
    const done = vi.fn()
    const { person } = renderScreen(<EditForm save={save} onDone={done} />)

    expect(screen.getByLabelText("Nazwisko")).toHaveValue("Kowalski")
    await person.clear(screen.getByLabelText("Nazwisko"))
    await person.type(screen.getByLabelText("Nazwisko"), "Nowak")
    await person.click(screen.getByRole("button", { name: "Aktualizuj" }))

    await waitFor(() => expect(done).toHaveBeenCalledOnce())
    expect(save).toHaveBeenCalledWith({
      firstName: "Jan",
      lastName: "Nowak",
      licenseNumber: jan.licenseNumber,
      neededCategories: [],
    })
    expect(requests).toEqual([])
  })

  it("says in a toast that the driver was changed, or why not", async () => {
    const path = `/api/drivers/${jan.id}`
    const failure = errorResponse(409, "license_number_exists", "x")
    const answers = [failure, { body: jan }]
    mockServer({ [`PUT ${path}`]: () => answers.shift() ?? failure })
    const { person } = renderScreen(<EditDriverDialog driver={jan} onClose={vi.fn()} />)
    const submit = screen.getByRole("button", { name: "Aktualizuj" })
    await person.click(submit)
    expect(await screen.findAllByText("Numer prawa jazdy już istnieje")).not.toHaveLength(0)
    await person.click(submit)
    expect(await screen.findByText("Dane kierowcy zostały zaktualizowane")).toBeInTheDocument()
  })

  it("sends the needed categories, and shows the server's sentence about them", async () => {
    const sentence = "Wybierz kategorie prawa jazdy z listy"
    const fields = { neededCategories: sentence }
    const body = { error: "invalid_driver_data", message: sentence, fields }
    const requests = mockServer({ "POST /api/drivers": { status: 422, body } })
    const { person } = renderScreen(<AddForm onDone={vi.fn()} />)
    await person.click(screen.getByRole("checkbox", { name: "C+E" }))
    await person.click(screen.getByRole("checkbox", { name: "C" }))
    await person.click(screen.getByRole("checkbox", { name: "B" }))
    await person.click(screen.getByRole("checkbox", { name: "B" }))
    await submitDriver(person, "AB123456")

    await waitFor(() => expect(requests).toHaveLength(1))
    const [sent] = requests as { body: { neededCategories: string[] } }[]
    expect(new Set(sent?.body.neededCategories)).toEqual(new Set(["C", "C+E"]))
    const group = screen.getByRole("group", { name: /^Potrzebne kategorie/ })
    await waitFor(() => expect(group).toHaveAccessibleDescription(tieWords(sentence)))
  })

  it("has the driver's needed categories checked", async () => {
    mockServer({})
    const save = vi.fn().mockResolvedValue(jan)
    const needing = { ...jan, neededCategories: ["C", "D"] }
    function Edit() {
      const mutation = useMutation({ mutationFn: (fields: DriverFields) => save(fields) })
      return <DriverForm driver={needing} mutation={mutation} onDone={vi.fn()} />
    }
    const { person } = renderScreen(<Edit />)
    expect(screen.getByRole("checkbox", { name: "C" })).toBeChecked()
    expect(screen.getByRole("checkbox", { name: "C1" })).not.toBeChecked()
    await person.click(screen.getByRole("checkbox", { name: "C" }))
    await person.click(screen.getByRole("button", { name: "Aktualizuj" }))
    await waitFor(() => expect(save).toHaveBeenCalledOnce())
    expect(save.mock.calls[0]?.[0]).toMatchObject({ neededCategories: ["D"] })
  })
})
