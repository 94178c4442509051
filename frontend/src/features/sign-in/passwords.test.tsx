import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it, vi } from "vitest"
import { PasswordChecklist } from "~/entities/user/new-password-fields"
import { anna } from "~/testing/fixtures"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import ForgotPassword from "./forgot-password"
import Login from "./login"
import ResetPassword from "./reset-password"

const acceptedPassword = { body: { faults: [], refused: false } }
const inForm = () => within(screen.getByRole("form")).findByRole("alert")

describe("a forgotten password", () => {
  const ask = "POST /api/request-password-reset"
  const send = () => screen.getByRole("button", { name: "Wyślij link" })

  it("is linked from the login", () => {
    mockServer({})
    renderScreen(<Login />)
    expect(screen.getByRole("link", { name: "Nie pamiętasz hasła?" })).toHaveAttribute(
      "href",
      "/auth/forgot-password",
    )
  })

  it("validates the address before it sends a request", async () => {
    const requests = mockServer({})
    const { person } = renderScreen(<ForgotPassword />)
    expect(screen.getByRole("link", { name: "Wróć do logowania" })).toHaveAttribute(
      "href",
      "/auth/login",
    )
    await person.type(screen.getByLabelText("E-mail"), "anna@")
    await person.click(send())
    await waitFor(() =>
      expect(screen.getByLabelText("E-mail")).toHaveAccessibleDescription(
        "Podaj prawidłowy adres e-mail.",
      ),
    )
    expect(requests).toEqual([])
  })

  it("shows the same message for any address, and can be sent again", async () => {
    const requests = mockServer({ [ask]: { body: { ok: true, message: "x" } } })
    const { person } = renderScreen(<ForgotPassword />)
    await person.type(screen.getByLabelText("E-mail"), " nikt@acme.test ")
    await person.click(send())
    expect(await screen.findByRole("status")).toHaveTextContent(
      "Sprawdź skrzynkę e-mailJeśli istnieje konto z adresem nikt@acme.test, wysłaliśmy na niego link",
    )
    expect(requests[0]?.body).toEqual({ email: "nikt@acme.test" })
    await person.click(screen.getByRole("button", { name: "Wyślij jeszcze raz" }))
    expect(screen.getByLabelText("E-mail")).toHaveValue("nikt@acme.test")
  })

  it.each([
    [errorResponse(429, "too_many_requests", "Za często"), "Za często"],
    [{ status: 502, body: "<html>" }, "Spróbuj ponownie za chwilę."],
  ])("reports in the form and in a toast that nothing was sent", async (answer, why) => {
    mockServer({ [ask]: answer })
    const { person } = renderScreen(<ForgotPassword />)
    await person.type(screen.getByLabelText("E-mail"), "anna@acme.test{Enter}")
    expect(await inForm()).toHaveTextContent(`Nie udało się wysłać instrukcji zmiany hasła${why}`)
    expect(screen.getByText("Błąd")).toBeInTheDocument()
  })

  it("shows the server's error at the address", async () => {
    const fields = { email: "Podaj prawidłowy adres e-mail." }
    mockServer({ [ask]: { status: 422, body: { error: "invalid_email", message: "x", fields } } })
    const { person } = renderScreen(<ForgotPassword />)
    await person.type(screen.getByLabelText("E-mail"), "anna@acme.test{Enter}")
    await waitFor(() =>
      expect(screen.getByLabelText("E-mail")).toHaveAccessibleDescription(fields.email),
    )
  })
})

describe("the reset link", () => {
  const reset = "POST /api/reset-password"
  const check = "POST /api/reset-password/check"
  const usable = { [check]: { body: { ok: true } } }
  const renderResetPassword = (path: string, user: typeof anna | null = null) =>
    renderScreen(<ResetPassword />, { path, user })

  async function submitPasswords(
    person: ReturnType<typeof renderScreen>["person"],
    first: string,
    second = first,
  ) {
    await person.type(await screen.findByLabelText("Nowe hasło"), first)
    await person.type(screen.getByLabelText("Powtórz nowe hasło"), second)
    await person.click(screen.getByRole("button", { name: "Zmień hasło" }))
  }

  it("validates the passwords before it sends a request", async () => {
    const requests = mockServer(usable)
    const { person } = renderResetPassword("/here#token=abc")
    await submitPasswords(person, "krótkie", "inne")
    expect(await screen.findByText("Hasło nie spełnia wszystkich wymagań")).toBeVisible()
    expect(screen.getByText("Hasła nie są takie same")).toBeVisible()
    expect(requests.map(({ endpoint }) => endpoint)).toEqual([check])
  })

  it("sends the token with both passwords, and links to the login", async () => {
    const requests = mockServer({
      ...usable,
      "POST /api/check-password": acceptedPassword,
      [reset]: { body: { ok: true, message: "x" } },
    })
    const { person, router } = renderResetPassword("/here#token=abc")
    expect(router.state.location.hash).toBe("") // nor does the history keep it
    expect(router.state.historyAction).toBe("REPLACE")
    await submitPasswords(person, "Gwizdek7")
    expect(await screen.findByText("Hasło zostało zmienione")).toBeVisible()
    expect(requests.find(({ endpoint }) => endpoint === reset)?.body).toEqual({
      token: "abc",
      newPassword: "Gwizdek7",
      confirmPassword: "Gwizdek7",
    })
    expect(screen.getByRole("link", { name: "Zaloguj się" })).toHaveAttribute("href", "/auth/login")
    expect(requests.some(({ endpoint }) => endpoint === "POST /api/logout")).toBe(false)
  })

  it("ends the session of this browser", async () => {
    const requests = mockServer({
      ...usable,
      "POST /api/check-password": acceptedPassword,
      "POST /api/logout": { body: { ok: true } },
      [reset]: { body: { ok: true, message: "x" } },
    })
    const { person } = renderResetPassword("/here#token=abc", anna)
    await submitPasswords(person, "Gwizdek7")
    expect(await screen.findByText("Hasło zostało zmienione")).toBeVisible()
    expect(requests.map(({ endpoint }) => endpoint)).toContain("POST /api/logout")
  })

  it("is checked first, and refused before a password is typed", async () => {
    const requests = mockServer({ [check]: errorResponse(400, "invalid_reset_link", "Stary link") })
    renderResetPassword("/here#token=abc")
    expect(screen.getByText("Sprawdzanie linku…")).toBeVisible()
    expect(screen.queryByRole("form")).toBeNull()
    expect(await screen.findByRole("alert")).toHaveTextContent(/^Ten link już nie działa/)
    expect(screen.queryByRole("form")).toBeNull()
    expect(requests).toEqual([{ endpoint: check, body: { token: "abc" }, language: "pl" }])
  })

  it.each([
    ["the network", {}],
    ["the rate limit", { [check]: errorResponse(429, "too_many_requests", "Za często") }],
    ["a broken server", { [check]: { status: 502, body: "<html>" } }],
  ])("is not called expired because of %s", async (_, responses) => {
    mockServer(responses)
    renderResetPassword("/here#token=abc")
    expect(await screen.findByLabelText("Nowe hasło")).toBeVisible()
    expect(screen.queryByText(/już nie działa/)).toBeNull()
  })

  it("is not called expired because an answer takes more than five seconds", async () => {
    const limit = new AbortController()
    const setLimit = vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal)
    const aborted = ({ signal }: Request) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
    vi.stubGlobal("fetch", aborted)
    renderResetPassword("/here#token=abc")
    expect(screen.getByText("Sprawdzanie linku…")).toBeVisible()
    await waitFor(() => expect(setLimit).toHaveBeenCalledWith(5_000))
    limit.abort(new DOMException("", "TimeoutError"))
    expect(await screen.findByLabelText("Nowe hasło")).toBeVisible()
  })

  it("pasted over an expired one is checked in its place", async () => {
    mockServer({
      [check]: (body) =>
        (body as { token: string }).token === "old"
          ? errorResponse(400, "invalid_reset_link", "Stary link")
          : { body: { ok: true } },
    })
    const { router } = renderResetPassword("/here#token=old")
    expect(await screen.findByText("Ten link już nie działa")).toBeVisible()
    await router.navigate("/here#token=new")
    expect(await screen.findByLabelText("Nowe hasło")).toBeVisible()
    expect(router.state.location.hash).toBe("")
  })

  it("that is used or expired in the meantime is reported, with a way to a new one", async () => {
    mockServer({
      ...usable,
      "POST /api/check-password": acceptedPassword,
      [reset]: errorResponse(400, "invalid_reset_link", "Stary link"),
    })
    const { person, router } = renderResetPassword("/here#token=abc")
    await submitPasswords(person, "Gwizdek7")
    expect(await screen.findByRole("alert")).toHaveTextContent(/^Ten link już nie działa/)
    expect(screen.queryByRole("form")).toBeNull()
    expect(screen.getByRole("link", { name: "Poproś o nowy link" })).toHaveAttribute(
      "href",
      "/auth/forgot-password",
    )
    await router.navigate("/here#token=new")
    expect(await screen.findByLabelText("Nowe hasło")).toHaveValue("")
  })

  it("is not read from the query, which browsers and servers pass on", () => {
    const requests = mockServer({})
    renderResetPassword("/here?token=abc")
    expect(screen.getByRole("alert")).toHaveTextContent(/^Ten link już nie działa/)
    expect(requests).toEqual([])
  })

  it("without a token is reported as invalid", () => {
    mockServer({})
    renderResetPassword("/here")
    expect(screen.getByRole("alert")).toHaveTextContent(/^Ten link już nie działa/)
  })

  it("shows the server's error at the password", async () => {
    const fields = { newPassword: "To hasło jest zbyt popularne. Wybierz inne." }
    mockServer({
      ...usable,
      "POST /api/check-password": acceptedPassword,
      [reset]: { status: 422, body: { error: "invalid_password", message: "x", fields } },
    })
    const { person } = renderResetPassword("/here#token=abc")
    await submitPasswords(person, "Haslo123")
    await waitFor(() => expect(screen.getByLabelText("Nowe hasło")).toHaveFocus())
    expect(screen.getByLabelText("Nowe hasło")).toHaveAccessibleDescription(/^To hasło jest zbyt/)
  })
})

describe("the password checklist", () => {
  const check = "POST /api/check-password"

  it("warns about a common password", async () => {
    const requests = mockServer({ [check]: { body: { faults: ["common"], refused: false } } })
    renderScreen(<PasswordChecklist password="Haslo123" />)
    expect(await screen.findByText(/^To hasło należy do najczęściej używanych/)).toBeVisible()
    expect(requests.map(({ body }) => body)).toEqual([{ password: "Haslo123" }])
  })

  it("sends no request for a password that breaks another rule", async () => {
    const requests = mockServer({ [check]: { body: { faults: ["common"], refused: false } } })
    renderScreen(<PasswordChecklist password="haslo123" />)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(requests).toEqual([])
  })

  it("shows no warning without a response", async () => {
    const requests = mockServer({})
    renderScreen(<PasswordChecklist password="Haslo123" />)
    await waitFor(() => expect(requests).toHaveLength(1))
    expect(screen.queryByText(/najczęściej używanych/)).toBeNull()
  })
})
