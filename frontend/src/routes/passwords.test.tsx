import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { PasswordChecklist } from "~/features/accounts/password-checklist"
import { answering, refused } from "~/testing/answers"
import { anna } from "~/testing/people"
import { show } from "~/testing/screen"
import ForgotPassword from "./forgot-password"
import Login from "./login"
import ResetPassword from "./reset-password"

const fine = { body: { faults: [], refused: false } }
const inForm = () => within(screen.getByRole("form")).findByRole("alert")

describe("a forgotten password", () => {
  const ask = "POST /api/request-password-reset"
  const send = () => screen.getByRole("button", { name: "Wyślij link" })

  it("is a link away from the login, and the login from it", () => {
    answering({})
    show(<Login />)
    expect(screen.getByRole("link", { name: "Nie pamiętasz hasła?" })).toHaveAttribute(
      "href",
      "/auth/forgot-password",
    )
  })

  it("asks for an address before it asks the server", async () => {
    const asked = answering({})
    const { person } = show(<ForgotPassword />)
    expect(screen.getByRole("link", { name: "Wróć do logowania" })).toHaveAttribute(
      "href",
      "/auth/login",
    )
    await person.type(screen.getByLabelText("E-mail"), "anna@")
    await person.click(send())
    expect(await screen.findByText("Podaj prawidłowy adres e-mail.")).toBeVisible()
    expect(asked).toEqual([])
  })

  it("says the same for any address, and lets it be sent again", async () => {
    const asked = answering({ [ask]: { body: { ok: true, message: "x" } } })
    const { person } = show(<ForgotPassword />)
    await person.type(screen.getByLabelText("E-mail"), " nikt@acme.test ")
    await person.click(send())
    expect(await screen.findByRole("status")).toHaveTextContent(
      "Sprawdź skrzynkę e-mailJeśli istnieje konto z adresem nikt@acme.test, wysłaliśmy na niego link",
    )
    expect(asked[0]?.body).toEqual({ email: "nikt@acme.test" })
    await person.click(screen.getByRole("button", { name: "Wyślij jeszcze raz" }))
    expect(screen.getByLabelText("E-mail")).toHaveValue("nikt@acme.test")
  })

  it.each([
    [refused(429, "too_many_requests", "Za często"), "Za często"],
    [{ status: 502, body: "<html>" }, "Spróbuj ponownie za chwilę."],
  ])("says in the form and in a toast that nothing was sent", async (answer, why) => {
    answering({ [ask]: answer })
    const { person } = show(<ForgotPassword />)
    await person.type(screen.getByLabelText("E-mail"), "anna@acme.test{Enter}")
    expect(await inForm()).toHaveTextContent(`Nie udało się wysłać instrukcji zmiany hasła${why}`)
    expect(screen.getByText("Błąd")).toBeInTheDocument()
  })

  it("puts the server's word about the address beside it", async () => {
    const fields = { email: "Podaj prawidłowy adres e-mail." }
    answering({ [ask]: { status: 422, body: { error: "invalid_email", message: "x", fields } } })
    const { person } = show(<ForgotPassword />)
    await person.type(screen.getByLabelText("E-mail"), "anna@acme.test{Enter}")
    await waitFor(() =>
      expect(screen.getByLabelText("E-mail")).toHaveAccessibleDescription(fields.email),
    )
  })
})

describe("the link of the mail", () => {
  const reset = "POST /api/reset-password"
  const at = (path: string, user: typeof anna | null = null) =>
    show(<ResetPassword />, { path, user })

  async function type(person: ReturnType<typeof show>["person"], first: string, second = first) {
    await person.type(screen.getByLabelText("Nowe hasło"), first)
    await person.type(screen.getByLabelText("Powtórz nowe hasło"), second)
    await person.click(screen.getByRole("button", { name: "Zmień hasło" }))
  }

  it("says what is wrong with the passwords before it asks the server", async () => {
    const asked = answering({})
    const { person } = at("/here?token=abc")
    await type(person, "krótkie", "inne")
    expect(await screen.findByText("Hasło nie spełnia wszystkich wymagań")).toBeVisible()
    expect(screen.getByText("Hasła nie są takie same")).toBeVisible()
    expect(asked).toEqual([])
  })

  it("sends the token with both passwords, and leads to the login", async () => {
    const asked = answering({
      "POST /api/check-password": fine,
      [reset]: { body: { ok: true, message: "x" } },
    })
    const { person } = at("/here?token=abc")
    await type(person, "Gwizdek7")
    expect(await screen.findByText("Hasło zostało zmienione")).toBeVisible()
    expect(asked.find(({ call }) => call === reset)?.body).toEqual({
      token: "abc",
      newPassword: "Gwizdek7",
      confirmPassword: "Gwizdek7",
    })
    expect(screen.getByRole("link", { name: "Zaloguj się" })).toHaveAttribute("href", "/auth/login")
    expect(asked.some(({ call }) => call === "POST /api/logout")).toBe(false)
  })

  it("ends the session that this browser still has", async () => {
    const asked = answering({
      "POST /api/check-password": fine,
      "POST /api/logout": { body: { ok: true } },
      [reset]: { body: { ok: true, message: "x" } },
    })
    const { person } = at("/here?token=abc", anna)
    await type(person, "Gwizdek7")
    expect(await screen.findByText("Hasło zostało zmienione")).toBeVisible()
    expect(asked.map(({ call }) => call)).toContain("POST /api/logout")
  })

  it("that is used or old says so, and offers a new one", async () => {
    answering({
      "POST /api/check-password": fine,
      [reset]: refused(400, "invalid_reset_link", "Stary link"),
    })
    const { person } = at("/here?token=abc")
    await type(person, "Gwizdek7")
    expect(await screen.findByRole("alert")).toHaveTextContent(/^Ten link już nie działa/)
    expect(screen.queryByRole("form")).toBeNull()
    expect(screen.getByRole("link", { name: "Poproś o nowy link" })).toHaveAttribute(
      "href",
      "/auth/forgot-password",
    )
  })

  it("without a token is no link at all", () => {
    answering({})
    at("/here")
    expect(screen.getByRole("alert")).toHaveTextContent(/^Ten link już nie działa/)
  })

  it("keeps the server's word about the password beside it", async () => {
    const fields = { newPassword: "To hasło jest zbyt popularne. Wybierz inne." }
    answering({
      "POST /api/check-password": fine,
      [reset]: { status: 422, body: { error: "invalid_password", message: "x", fields } },
    })
    const { person } = at("/here?token=abc")
    await type(person, "Haslo123")
    await waitFor(() => expect(screen.getByLabelText("Nowe hasło")).toHaveFocus())
    expect(screen.getByLabelText("Nowe hasło")).toHaveAccessibleDescription(/^To hasło jest zbyt/)
  })
})

describe("the checklist", () => {
  const check = "POST /api/check-password"

  it("warns about a password that the server's list has", async () => {
    const asked = answering({ [check]: { body: { faults: ["common"], refused: false } } })
    show(<PasswordChecklist password="Haslo123" />)
    expect(await screen.findByText(/^To hasło należy do najczęściej używanych/)).toBeVisible()
    expect(asked.map(({ body }) => body)).toEqual([{ password: "Haslo123" }])
  })

  it("asks nobody about a password that breaks another rule", async () => {
    const asked = answering({ [check]: { body: { faults: ["common"], refused: false } } })
    show(<PasswordChecklist password="haslo123" />)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(asked).toEqual([])
  })

  it("is silent when the server is", async () => {
    const asked = answering({})
    show(<PasswordChecklist password="Haslo123" />)
    await waitFor(() => expect(asked).toHaveLength(1))
    expect(screen.queryByText(/najczęściej używanych/)).toBeNull()
  })
})
