import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it, vi } from "vitest"
import { browserLocation } from "~/hooks/use-external-redirect"
import { anna } from "~/testing/fixtures"
import { errorResponse, mockServer, type RecordedRequest } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { EmailVerification } from "./email-verification"
import Login from "./login"
import Register from "./register"

const inForm = () => within(screen.getByRole("form")).findByRole("alert")
const ok = { body: { ok: true, emailVerified: true } }

describe("the login", () => {
  it("has two fields, and links to the password reset and to the registration", () => {
    mockServer({})
    renderScreen(<Login />)
    expect(screen.getByLabelText("E-mail")).toHaveAttribute("type", "email")
    expect(screen.getByLabelText("Hasło")).toHaveAttribute("type", "password")
    const links = within(screen.getByRole("main")).getAllByRole("link")
    expect(links.map((link) => link.getAttribute("href"))).toEqual([
      "/auth/register",
      "/auth/forgot-password",
    ])
  })

  it("validates the fields before it sends a request", async () => {
    const requests = mockServer({})
    const { person } = renderScreen(<Login />)
    await person.click(screen.getByRole("button", { name: "Zaloguj się" }))
    await waitFor(() =>
      expect(screen.getByLabelText("E-mail")).toHaveAccessibleDescription(
        "Podaj prawidłowy adres e-mail.",
      ),
    )
    expect(screen.getByText("Podaj hasło")).toBeVisible()
    expect(requests).toEqual([])
  })

  it("opens the panel", async () => {
    const requests = mockServer({ "POST /api/login": ok })
    const { person, router } = renderScreen(<Login />)
    await person.type(screen.getByLabelText("E-mail"), "anna@acme.test")
    await person.type(screen.getByLabelText("Hasło"), "Gwizdek7{Enter}")
    await waitFor(() => expect(router.state.location.pathname).toBe("/panel"))
    expect(requests[0]?.body).toEqual({ email: "anna@acme.test", password: "Gwizdek7" })
  })

  it.each([
    ["the console for an operator without a company", true, []],
    ["the panel for an operator with one", true, [{}]],
    ["the panel for others", false, []],
  ])("opens %s", async (where, isAdmin, subscriptions) => {
    const assign = vi.spyOn(browserLocation, "assign").mockImplementation(() => {})
    mockServer({
      "POST /api/login": ok,
      "GET /api/user": { body: { ...anna, isAdmin, subscriptions } },
    })
    const { person, router } = renderScreen(<Login />)
    await person.type(screen.getByLabelText("E-mail"), "anna@acme.test")
    await person.type(screen.getByLabelText("Hasło"), "Gwizdek7{Enter}")
    if (/console/.test(where)) await waitFor(() => expect(assign).toHaveBeenCalledWith("/admin/"))
    else await waitFor(() => expect(router.state.location.pathname).toBe("/panel"))
  })

  it.each([
    [errorResponse(401, "invalid_credentials", "Nie te dane"), "Nie te dane"],
    [{ status: 502, body: "<html>" }, "Nie udało się zalogować"],
  ])("shows 'Błąd logowania' and the reason, in the form and in a toast", async (answer, why) => {
    mockServer({ "POST /api/login": answer })
    const { person } = renderScreen(<Login />)
    await person.type(screen.getByLabelText("E-mail"), "anna@acme.test")
    await person.type(screen.getByLabelText("Hasło"), "x{Enter}")
    expect(await inForm()).toHaveTextContent(`Błąd logowania${why}`)
    expect(screen.getAllByText("Błąd logowania")).toHaveLength(2)
  })

  it("identifies its fields for password managers, and can reveal the password", async () => {
    mockServer({})
    const { person } = renderScreen(<Login />)
    expect(screen.getByLabelText("E-mail")).toHaveAttribute("autocomplete", "username")
    const password = screen.getByLabelText("Hasło")
    expect(password).toHaveAttribute("autocomplete", "current-password")
    await person.click(screen.getByRole("button", { name: "Pokaż hasło" }))
    expect(password).toHaveAttribute("type", "text")
  })
})

describe("the second step of the login", () => {
  const pending = { body: { ok: true, secondFactorRequired: true } }
  const step = "POST /api/login/second-factor"

  async function enterPassword(responses: Parameters<typeof mockServer>[0]) {
    const requests = mockServer({ "POST /api/login": pending, ...responses })
    const screenUnderTest = renderScreen(<Login />)
    const { person } = screenUnderTest
    await person.type(screen.getByLabelText("E-mail"), "anna@acme.test")
    await person.type(screen.getByLabelText("Hasło"), "Gwizdek7{Enter}")
    const code = await screen.findByLabelText("Kod z aplikacji albo kod zapasowy")
    return { ...screenUnderTest, requests, code }
  }

  it("asks for a code, and opens the panel", async () => {
    const { person, router, requests, code } = await enterPassword({ [step]: ok })
    expect(screen.getByRole("heading", { level: 1, name: "Wpisz kod" })).toBeVisible()
    expect(code).toHaveFocus()
    expect(code).toHaveAttribute("autocomplete", "one-time-code")
    await person.type(code, "123 456{Enter}")
    await waitFor(() => expect(router.state.location.pathname).toBe("/panel"))
    expect(requests.find(({ endpoint }) => endpoint === step)?.body).toEqual({ code: "123456" })
  })

  it("shows a refused code at its field", async () => {
    const body = { error: "invalid_second_factor", message: "Zły kod", fields: { code: "Zły kod" } }
    const { person, code } = await enterPassword({ [step]: { status: 400, body } })
    await person.type(code, "123456{Enter}")
    await waitFor(() => expect(code).toHaveAccessibleDescription(/Zły kod/))
    expect(code).toHaveFocus()
  })

  it("shows any other reason in the form", async () => {
    const answer = errorResponse(429, "too_many_requests", "Za często")
    const { person, code } = await enterPassword({ [step]: answer })
    await person.type(code, "123456{Enter}")
    expect(await inForm()).toHaveTextContent("Za często")
  })

  it("returns to the password when the time is over, and when asked", async () => {
    const answer = errorResponse(401, "auth_required", "Musisz się zalogować")
    const { person, code } = await enterPassword({ [step]: answer })
    await person.type(code, "123456{Enter}")
    expect(await screen.findByText(/^Czas na wpisanie kodu minął/)).toBeVisible()
    await person.type(screen.getByLabelText("E-mail"), "anna@acme.test")
    await person.type(screen.getByLabelText("Hasło"), "Gwizdek7{Enter}")
    await person.click(await screen.findByRole("button", { name: "Wróć do logowania" }))
    expect(screen.getByLabelText("Hasło")).toBeVisible()
  })
})

describe("the registration", () => {
  async function fillRegistration(person: ReturnType<typeof renderScreen>["person"]) {
    await person.type(screen.getByLabelText("E-mail"), "anna@acme.test")
    await person.type(screen.getByLabelText("Hasło"), "Gwizdek7")
    await person.type(screen.getByLabelText("Powtórz hasło"), "Gwizdek7")
  }
  const submit = () => screen.getByRole("button", { name: "Załóż konto" })

  it("links the documents that are accepted, each in a new tab", () => {
    mockServer({})
    renderScreen(<Register />)
    const documents = [
      "Regulamin",
      "Politykę Prywatności",
      "umowa powierzenia przetwarzania danych osobowych",
    ]
    const links = documents.map((name) => screen.getByRole("link", { name }))
    expect(links.map((link) => [link.getAttribute("href"), link.getAttribute("target")])).toEqual([
      ["/terms", "_blank"],
      ["/privacy", "_blank"],
      ["/api/legal/data-processing-agreement?lang=pl", "_blank"],
    ])
  })
  // The checklist checks for common passwords when typing pauses, at any time during the test.
  const registrations = (requests: RecordedRequest[]) =>
    requests.filter(({ endpoint }) => endpoint === "POST /api/register")

  it("ticks off the rules while the password is typed", async () => {
    mockServer({})
    const { person } = renderScreen(<Register />)
    const rule = (text: string) => screen.getByText(text).closest("li")
    expect(rule("co najmniej jedna cyfra")).toHaveTextContent("niespełnione")
    await person.type(screen.getByLabelText("Hasło"), "gw1")
    expect(rule("co najmniej jedna cyfra")).toHaveTextContent(/cyfraspełnione/)
    expect(rule("co najmniej 8 znaków")).toHaveTextContent("niespełnione")
  })

  it("keeps its button enabled, but sends nothing without the terms", async () => {
    const requests = mockServer({})
    const { person } = renderScreen(<Register />)
    await fillRegistration(person)
    expect(submit()).toBeEnabled()
    await person.click(submit())
    expect(
      await screen.findByText("Musisz zaakceptować Regulamin i Politykę Prywatności."),
    ).toBeVisible()
    expect(registrations(requests)).toEqual([])
  })

  it.each([
    ["", null],
    ["?drivers=300", 300],
    ["?drivers=10005", null],
    ["?drivers=", null],
    ["?drivers=ala", null],
  ])(
    "sends address, password and language, and opens the verification",
    async (search, plannedDrivers) => {
      const responseBody = { ok: true, message: "Sprawdź skrzynkę" }
      const requests = mockServer({ "POST /api/register": { status: 201, body: responseBody } })
      const { person, router } = renderScreen(<Register />, { path: `/here${search}` })
      await fillRegistration(person)
      await person.click(screen.getByRole("checkbox"))
      await person.click(submit())
      await waitFor(() => expect(router.state.location.pathname).toBe("/auth/verify-email"))
      expect(registrations(requests)[0]?.body).toEqual({
        email: "anna@acme.test",
        password: "Gwizdek7",
        language: "pl",
        plannedDrivers,
      })
      expect(screen.getByText("Sprawdź skrzynkę")).toBeInTheDocument()
    },
  )

  it("shows 'Błąd rejestracji' and the server's error at its field", async () => {
    const fields = { password: "To hasło jest zbyt popularne." }
    mockServer({
      "POST /api/register": {
        status: 422,
        body: { error: "invalid_registration", message: fields.password, fields },
      },
    })
    const { person } = renderScreen(<Register />)
    await fillRegistration(person)
    await person.click(screen.getByRole("checkbox"))
    await person.click(submit())
    await waitFor(() => expect(screen.getByLabelText("Hasło")).toHaveFocus())
    expect(screen.getByLabelText("Hasło")).toHaveAccessibleDescription(/^To hasło jest zbyt/)
    expect(screen.getByText("Błąd rejestracji")).toBeInTheDocument()
  })

  it("reports different passwords at once, whatever else is invalid", async () => {
    mockServer({})
    const { person } = renderScreen(<Register />)
    await person.type(screen.getByLabelText("E-mail"), "anna@")
    await person.type(screen.getByLabelText("Hasło"), "krótkie")
    await person.type(screen.getByLabelText("Powtórz hasło"), "inne")
    await person.click(submit())
    expect(await screen.findByText("Hasła nie są takie same")).toBeVisible()
    expect(screen.getByLabelText("E-mail")).toHaveAccessibleDescription(
      "Podaj prawidłowy adres e-mail.",
    )
    expect(screen.getByText("Hasło nie spełnia wszystkich wymagań")).toBeVisible()
  })

  it("marks the field of a taken address, and reports it in the form", async () => {
    mockServer({ "POST /api/register": errorResponse(409, "email_taken", "Już jest takie konto") })
    const { person } = renderScreen(<Register />)
    await fillRegistration(person)
    await person.click(screen.getByRole("checkbox"))
    await person.click(submit())
    expect(await inForm()).toHaveTextContent("Błąd rejestracjiJuż jest takie konto")
    const email = screen.getByLabelText("E-mail")
    expect(email).toBeInvalid()
    expect(email).toHaveAccessibleDescription("Już jest takie konto")
    expect(email).toHaveFocus()
  })

  it("keeps a message that is about no field in the form", async () => {
    mockServer({ "POST /api/register": errorResponse(429, "too_many_requests", "Za często") })
    const { person } = renderScreen(<Register />)
    await fillRegistration(person)
    await person.click(screen.getByRole("checkbox"))
    await person.click(submit())
    expect(await inForm()).toHaveTextContent("Błąd rejestracjiZa często")
  })
})

describe("the verification of an e-mail address", () => {
  const code = () => screen.getByLabelText("Kod weryfikacyjny")

  it("sends a pasted code by itself, without its blanks and dashes", async () => {
    const requests = mockServer({ "POST /api/verify-email": { body: { ok: true } } })
    const { person } = renderScreen(<EmailVerification email="anna@acme.test" />)
    expect(code()).toHaveAttribute("autocomplete", "one-time-code")
    await person.click(code())
    await person.paste(" abc-234\n")
    const done = await screen.findByText(/potwierdzony$/)
    expect(done.closest("p")).toHaveTextContent(/^Adres e-mail potwierdzony$/)
    expect(requests.map(({ body }) => body)).toEqual([{ token: "abc234" }])
  })

  it("opens the panel after a second and a half", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    mockServer({ "POST /api/verify-email": { body: { ok: true } } })
    const { person, router } = renderScreen(<EmailVerification email="anna@acme.test" />)
    await person.type(code(), "ABC234")
    expect(await screen.findByRole("button", { name: "Przejdź do panelu" })).toBeVisible()
    expect(router.state.location.pathname).toBe("/here")
    await vi.advanceTimersByTimeAsync(1500)
    await waitFor(() => expect(router.state.location.pathname).toBe("/panel"))
  })

  it("keeps the form and shows the error when the code is wrong or too short", async () => {
    mockServer({ "POST /api/verify-email": errorResponse(400, "invalid_code", "Zły kod") })
    const { person } = renderScreen(<EmailVerification email="anna@acme.test" />)
    await person.type(code(), "abc{Enter}")
    expect(
      await screen.findByText("Nieprawidłowy lub nieaktualny kod weryfikacyjny."),
    ).toBeVisible()
    await person.type(code(), "999{Enter}")
    expect(await inForm()).toHaveTextContent("Zły kod")
  })

  it("resends the code on request", async () => {
    mockServer({
      "POST /api/verify-email/send": { body: { ok: true, message: "x", emailVerified: false } },
    })
    const { person } = renderScreen(<EmailVerification email="anna@acme.test" />)
    await person.click(screen.getByRole("button", { name: "Wyślij kod ponownie" }))
    expect(await screen.findByText("Wysłaliśmy nowy kod")).toBeVisible()
  })

  it("sends no code to an address that was verified meanwhile, and opens the panel", async () => {
    mockServer({
      "POST /api/verify-email/send": { body: { ok: true, message: "x", emailVerified: true } },
    })
    const { person, router } = renderScreen(<EmailVerification email="anna@acme.test" />)
    await person.click(screen.getByRole("button", { name: "Wyślij kod ponownie" }))
    await person.click(await screen.findByRole("button", { name: "Przejdź do panelu" }))
    expect(screen.queryByText("Wysłaliśmy nowy kod")).toBeNull()
    expect(router.state.location.pathname).toBe("/panel")
  })
})
