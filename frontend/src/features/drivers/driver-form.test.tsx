import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it, vi } from "vitest"
import { answering, refused } from "~/testing/answers"
import { driver, verified } from "~/testing/people"
import { show } from "~/testing/screen"
import { DriverForm } from "./driver-form"

const jan = driver("Jan", "Kowalski", verified())

async function fill(person: ReturnType<typeof show>["person"], number: string) {
  await person.type(screen.getByLabelText("Imię"), "Jan")
  await person.type(screen.getByLabelText("Nazwisko"), "Kowalski")
  await person.type(screen.getByLabelText("Numer prawa jazdy"), number)
  await person.click(screen.getByRole("button", { name: "Zapisz" }))
}

/** The form's own alert; the toast says the same elsewhere on the page. */
const inForm = () => within(screen.getByRole("form")).findByRole("alert")

describe("the driver form", () => {
  it("says what is missing and asks the server nothing", async () => {
    const asked = answering({})
    const { person } = show(<DriverForm onDone={vi.fn()} />)
    await person.click(screen.getByRole("button", { name: "Zapisz" }))

    expect(await screen.findByText("Imię jest wymagane")).toBeVisible()
    expect(screen.getByText("Nazwisko jest wymagane")).toBeVisible()
    expect(screen.getByText("Numer prawa jazdy jest wymagany")).toBeVisible()
    expect(asked).toEqual([])
  })

  it("names the format when a number has another one", async () => {
    answering({})
    const { person } = show(<DriverForm onDone={vi.fn()} />)
    await fill(person, "A1234567")

    const number = screen.getByLabelText("Numer prawa jazdy")
    await waitFor(() => expect(number).toBeInvalid())
    expect(number).toHaveAccessibleDescription(/^Numer prawa jazdy musi być w formacie AA123456/)
  })

  it("lets at most eight characters in and takes blanks out of a pasted number", async () => {
    answering({})
    const { person } = show(<DriverForm onDone={vi.fn()} />)
    const number = screen.getByLabelText("Numer prawa jazdy")
    expect(number).toHaveAttribute("maxlength", "8")
    expect(number).toHaveAttribute("placeholder", "AA123456")
    await person.click(number)
    await person.paste(" ab 123-456 ")
    expect(number).toHaveValue("AB123456")
  })

  it("shows capitals while the number is typed, of plain letters only", async () => {
    answering({})
    const { person } = show(<DriverForm onDone={vi.fn()} />)
    const number = screen.getByLabelText("Numer prawa jazdy")
    await person.type(number, "aß12")
    expect(number).toHaveValue("Aß12")
  })

  it("adds a driver with the number in capitals, says so, and is empty again", async () => {
    const asked = answering({ "POST /api/drivers": { status: 201, body: jan } })
    const done = vi.fn()
    const { person } = show(<DriverForm onDone={done} />)
    await fill(person, "ab123456")

    await waitFor(() => expect(done).toHaveBeenCalledOnce())
    const added = { firstName: "Jan", lastName: "Kowalski", licenseNumber: "AB123456" }
    expect(asked).toMatchObject([{ call: "POST /api/drivers", body: added }])
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
  ])(
    "on %i %s says the sentence of the specification, and keeps saying it",
    async (status, key, said, shown) => {
      answering({ "POST /api/drivers": refused(status, key, said) })
      const done = vi.fn()
      const { person } = show(<DriverForm onDone={done} />)
      await fill(person, "AB123456")

      expect(await inForm()).toHaveTextContent(shown)
      expect(screen.getByText("Błąd")).toBeInTheDocument()
      expect(screen.getByLabelText("Imię")).toHaveValue("Jan")
      expect(done).not.toHaveBeenCalled()
    },
  )

  it("says beside the number that it is taken, and puts the focus there", async () => {
    answering({ "POST /api/drivers": refused(409, "license_number_exists", "Ten już mamy") })
    const { person } = show(<DriverForm onDone={vi.fn()} />)
    await fill(person, "AB123456")

    const number = screen.getByLabelText("Numer prawa jazdy")
    await waitFor(() => expect(number).toHaveFocus())
    expect(number).toHaveAccessibleDescription(/^Numer prawa jazdy już istnieje/)
    expect(within(screen.getByRole("form")).queryByRole("alert")).toBeNull()
    expect(screen.getAllByText("Numer prawa jazdy już istnieje")).toHaveLength(2)
  })

  it("says beside a name what the server has against it", async () => {
    const fields = { lastName: "Nazwisko może mieć najwyżej 80 znaków" }
    const body = { error: "invalid_driver_data", message: fields.lastName, fields }
    answering({ "POST /api/drivers": { status: 422, body } })
    const { person } = show(<DriverForm onDone={vi.fn()} />)
    await fill(person, "AB123456")
    await waitFor(() => expect(screen.getByLabelText("Nazwisko")).toHaveFocus())
    expect(screen.getByLabelText("Nazwisko")).toHaveAccessibleDescription(fields.lastName)
  })

  it("takes any refusal that speaks of a limit for the limit of drivers", async () => {
    answering({ "POST /api/drivers": refused(403, "something_new", "the limit is reached") })
    const { person } = show(<DriverForm onDone={vi.fn()} />)
    await fill(person, "AB123456")
    expect(await inForm()).toHaveTextContent(/^Osiągnięto limit kierowców\./)
  })

  it("says more than the default when the server did", async () => {
    answering({ "POST /api/drivers": refused(403, "subscription_required", "Wymagany plan") })
    const { person } = show(<DriverForm onDone={vi.fn()} />)
    await fill(person, "AB123456")
    expect(await inForm()).toHaveTextContent("Nie udało się dodać kierowcyWymagany plan")
  })

  it("edits with the handler it was given, and adds nothing", async () => {
    const asked = answering({})
    const save = vi.fn().mockResolvedValue(jan)
    const done = vi.fn()
    const { person } = show(<DriverForm driver={jan} onSubmit={save} onDone={done} />)

    expect(screen.getByLabelText("Nazwisko")).toHaveValue("Kowalski")
    await person.clear(screen.getByLabelText("Nazwisko"))
    await person.type(screen.getByLabelText("Nazwisko"), "Nowak")
    await person.click(screen.getByRole("button", { name: "Aktualizuj" }))

    await waitFor(() => expect(done).toHaveBeenCalledOnce())
    expect(save).toHaveBeenCalledWith({
      firstName: "Jan",
      lastName: "Nowak",
      licenseNumber: jan.licenseNumber,
    })
    expect(screen.getByText("Dane kierowcy zostały zaktualizowane")).toBeInTheDocument()
    expect(asked).toEqual([])
  })
})
