import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it, vi } from "vitest"
import { VerifyEmail } from "~/features/accounts/verify-email"
import { type Asked, answering, refused } from "~/testing/answers"
import { show } from "~/testing/screen"
import Login from "./login"
import Register from "./register"

const inForm = () => within(screen.getByRole("form")).findByRole("alert")
const ok = { body: { ok: true, emailVerified: true } }

describe("the login", () => {
  it("says what is wrong with the fields before it asks the server", async () => {
    const asked = answering({})
    const { person } = show(<Login />)
    await person.click(screen.getByRole("button", { name: "Zaloguj się" }))
    expect(await screen.findByText("Podaj prawidłowy adres e-mail.")).toBeVisible()
    expect(screen.getByText("Podaj hasło")).toBeVisible()
    expect(asked).toEqual([])
  })

  it("goes to the panel", async () => {
    const asked = answering({ "POST /api/login": ok })
    const { person, router } = show(<Login />)
    await person.type(screen.getByLabelText("E-mail"), "anna@acme.test")
    await person.type(screen.getByLabelText("Hasło"), "Gwizdek7{Enter}")
    await waitFor(() => expect(router.state.location.pathname).toBe("/panel"))
    expect(asked[0]?.body).toEqual({ email: "anna@acme.test", password: "Gwizdek7" })
  })

  it.each([
    [refused(401, "invalid_credentials", "Nie te dane"), "Nie te dane"],
    [{ status: 502, body: "<html>" }, "Nie udało się zalogować"],
  ])("says 'Błąd logowania' and why, in the form as well as in a toast", async (answer, why) => {
    answering({ "POST /api/login": answer })
    const { person } = show(<Login />)
    await person.type(screen.getByLabelText("E-mail"), "anna@acme.test")
    await person.type(screen.getByLabelText("Hasło"), "x{Enter}")
    expect(await inForm()).toHaveTextContent(`Błąd logowania${why}`)
    expect(screen.getAllByText("Błąd logowania")).toHaveLength(2)
  })

  it("names its fields for a password manager, and lets the password be seen", async () => {
    answering({})
    const { person } = show(<Login />)
    expect(screen.getByLabelText("E-mail")).toHaveAttribute("autocomplete", "username")
    const password = screen.getByLabelText("Hasło")
    expect(password).toHaveAttribute("autocomplete", "current-password")
    await person.click(screen.getByRole("button", { name: "Pokaż hasło" }))
    expect(password).toHaveAttribute("type", "text")
  })
})

describe("the registration", () => {
  async function fill(person: ReturnType<typeof show>["person"]) {
    await person.type(screen.getByLabelText("E-mail"), "anna@acme.test")
    await person.type(screen.getByLabelText("Hasło"), "Gwizdek7")
    await person.type(screen.getByLabelText("Powtórz hasło"), "Gwizdek7")
  }
  const submit = () => screen.getByRole("button", { name: "Załóż konto" })
  // The checklist asks about a common password when typing pauses: sooner or later.
  const registrations = (asked: Asked[]) =>
    asked.filter(({ call }) => call === "POST /api/register")

  it("ticks the rules off while the password is typed", async () => {
    answering({})
    const { person } = show(<Register />)
    const rule = (text: string) => screen.getByText(text).closest("li")
    expect(rule("co najmniej jedna cyfra")).toHaveTextContent("niespełnione")
    await person.type(screen.getByLabelText("Hasło"), "gw1")
    expect(rule("co najmniej jedna cyfra")).toHaveTextContent(/cyfraspełnione/)
    expect(rule("co najmniej 8 znaków")).toHaveTextContent("niespełnione")
  })

  it("keeps its button enabled, but goes nowhere without the terms", async () => {
    const asked = answering({})
    const { person } = show(<Register />)
    await fill(person)
    expect(submit()).toBeEnabled()
    await person.click(submit())
    expect(
      await screen.findByText("Musisz zaakceptować Regulamin i Politykę Prywatności."),
    ).toBeVisible()
    expect(registrations(asked)).toEqual([])
  })

  it("sends address, password and language, and goes on to the code", async () => {
    const said = { ok: true, message: "Sprawdź skrzynkę" }
    const asked = answering({ "POST /api/register": { status: 201, body: said } })
    const { person, router } = show(<Register />)
    await fill(person)
    await person.click(screen.getByRole("checkbox"))
    await person.click(submit())
    await waitFor(() => expect(router.state.location.pathname).toBe("/auth/verify-email"))
    expect(registrations(asked)[0]?.body).toEqual({
      email: "anna@acme.test",
      password: "Gwizdek7",
      language: "pl",
    })
    expect(screen.getByText("Sprawdź skrzynkę")).toBeInTheDocument()
  })

  it("says 'Błąd rejestracji' and what the server has against a field beside the field", async () => {
    const fields = { password: "To hasło jest zbyt popularne." }
    answering({
      "POST /api/register": {
        status: 422,
        body: { error: "invalid_registration", message: fields.password, fields },
      },
    })
    const { person } = show(<Register />)
    await fill(person)
    await person.click(screen.getByRole("checkbox"))
    await person.click(submit())
    await waitFor(() => expect(screen.getByLabelText("Hasło")).toHaveFocus())
    expect(screen.getByLabelText("Hasło")).toHaveAccessibleDescription(/^To hasło jest zbyt/)
    expect(screen.getByText("Błąd rejestracji")).toBeInTheDocument()
  })

  it("says at once that the passwords differ, whatever else is wrong", async () => {
    answering({})
    const { person } = show(<Register />)
    await person.type(screen.getByLabelText("E-mail"), "anna@")
    await person.type(screen.getByLabelText("Hasło"), "krótkie")
    await person.type(screen.getByLabelText("Powtórz hasło"), "inne")
    await person.click(submit())
    expect(await screen.findByText("Hasła nie są takie same")).toBeVisible()
    expect(screen.getByText("Podaj prawidłowy adres e-mail.")).toBeVisible()
    expect(screen.getByText("Hasło nie spełnia wszystkich wymagań")).toBeVisible()
  })

  it("marks the field of an address that is taken, and says so in the form", async () => {
    answering({ "POST /api/register": refused(409, "email_taken", "Już jest takie konto") })
    const { person } = show(<Register />)
    await fill(person)
    await person.click(screen.getByRole("checkbox"))
    await person.click(submit())
    expect(await inForm()).toHaveTextContent("Błąd rejestracjiJuż jest takie konto")
    const email = screen.getByLabelText("E-mail")
    expect(email).toBeInvalid()
    expect(email).toHaveAccessibleDescription("Już jest takie konto")
    expect(email).toHaveFocus()
  })

  it("keeps the server's message in the form when it is about no field", async () => {
    answering({ "POST /api/register": refused(429, "too_many_requests", "Za często") })
    const { person } = show(<Register />)
    await fill(person)
    await person.click(screen.getByRole("checkbox"))
    await person.click(submit())
    expect(await inForm()).toHaveTextContent("Błąd rejestracjiZa często")
  })
})

describe("the verification of an e-mail address", () => {
  const code = () => screen.getByLabelText("Kod weryfikacyjny")

  it("takes one pasted code, whatever blanks stand in it", async () => {
    const asked = answering({ "POST /api/verify-email": { body: { ok: true } } })
    const { person } = show(<VerifyEmail email="anna@acme.test" />)
    expect(code()).toHaveAttribute("autocomplete", "one-time-code")
    expect(code()).toHaveAttribute("maxlength", "6")
    await person.click(code())
    await person.paste(" abc 234\n")
    await person.click(screen.getByRole("button", { name: "Potwierdź adres" }))
    expect(await screen.findByText("Adres e-mail potwierdzony")).toBeVisible()
    expect(asked[0]?.body).toEqual({ token: "abc234" })
  })

  it("opens the panel after a second and a half, or at once by the button", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    answering({ "POST /api/verify-email": { body: { ok: true } } })
    const { person, router } = show(<VerifyEmail email="anna@acme.test" />)
    await person.type(code(), "ABC234{Enter}")
    expect(await screen.findByRole("button", { name: "Przejdź do panelu" })).toBeVisible()
    expect(router.state.location.pathname).toBe("/here")
    await vi.advanceTimersByTimeAsync(1500)
    await waitFor(() => expect(router.state.location.pathname).toBe("/panel"))
  })

  it("keeps the form and says so when the code is wrong or too short", async () => {
    answering({ "POST /api/verify-email": refused(400, "invalid_code", "Zły kod") })
    const { person } = show(<VerifyEmail email="anna@acme.test" />)
    await person.type(code(), "abc{Enter}")
    expect(
      await screen.findByText("Nieprawidłowy lub nieaktualny kod weryfikacyjny."),
    ).toBeVisible()
    await person.type(code(), "999{Enter}")
    expect(await inForm()).toHaveTextContent("Zły kod")
  })

  it("sends another code on request", async () => {
    answering({ "POST /api/verify-email/send": { body: { ok: true, message: "x" } } })
    const { person } = show(<VerifyEmail email="anna@acme.test" />)
    await person.click(screen.getByRole("button", { name: "Wyślij kod ponownie" }))
    expect(await screen.findByText("Wysłaliśmy nowy kod")).toBeVisible()
  })

  it("leads back by logging out", async () => {
    const asked = answering({ "POST /api/logout": { body: { ok: true } } })
    const { person, router } = show(<VerifyEmail email="anna@acme.test" />)
    await person.click(screen.getByRole("button", { name: "Wróć do logowania" }))
    await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
    expect(asked.map(({ call }) => call)).toEqual(["POST /api/logout"])
  })
})
