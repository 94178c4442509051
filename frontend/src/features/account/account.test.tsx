import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it, vi } from "vitest"
import type { SecondFactorOut } from "~/api/types.gen"
import { changeLanguage } from "~/lib/i18n"
import { applyThemeScript } from "~/lib/theme"
import { anna } from "~/testing/fixtures"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import Account from "./account"

const chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0 Safari/537.36"
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"

const session = (id: string, changes: object = {}) => ({
  id,
  current: false,
  createdAt: "2026-11-01T08:00:00Z",
  lastSeenAt: "2026-11-20T08:00:00Z",
  ip: "192.0.2.7",
  agent: firefox,
  ...changes,
})
const currentSession = session("here", {
  current: true,
  agent: chrome,
  lastSeenAt: "2026-11-19T08:00:00Z",
})

const list = "GET /api/sessions"
const change = "POST /api/user/change-password"
const off: SecondFactorOut = {
  enabled: false,
  enabledAt: null,
  recoveryCodesLeft: 0,
  required: false,
}
const on: SecondFactorOut = {
  ...off,
  enabled: true,
  enabledAt: "2026-11-20T08:00:00Z",
  recoveryCodesLeft: 10,
}
const secondFactor = "GET /api/user/second-factor"
const baseResponses = {
  [list]: { body: [currentSession] },
  [secondFactor]: { body: off },
  "POST /api/check-password": { body: { faults: [], refused: false } },
}
const renderAccount = () => renderScreen(<Account />, { user: anna })

describe("the account page", () => {
  it("shows the address", async () => {
    mockServer(baseResponses)
    renderAccount()
    expect(screen.getByRole("heading", { level: 1, name: "Konto" })).toBeVisible()
    expect(screen.getByText("anna@acme.test")).toBeVisible()
    expect(await screen.findByText("To urządzenie")).toBeVisible()
  })

  it("reports when the account's language differs from the screen's, and saves the choice", async () => {
    const requests = mockServer({
      ...baseResponses,
      "PUT /api/user/language": { body: { language: "pl" } },
    })
    const { person } = renderScreen(<Account />, { user: { ...anna, language: "en" } })
    expect(screen.getByText(/^Teraz piszemy do Ciebie po angielsku/)).toBeVisible()
    await person.click(screen.getByRole("button", { name: "PL – Polski" }))
    await waitFor(() =>
      expect(requests.find(({ endpoint }) => endpoint === "PUT /api/user/language")?.body).toEqual({
        language: "pl",
      }),
    )
    await changeLanguage("pl")
  })
})

describe("the colours", () => {
  it("are chosen for the browser, and applied before the next page is painted", async () => {
    mockServer(baseResponses)
    const { person } = renderAccount()
    const root = document.documentElement
    await person.selectOptions(screen.getByRole("combobox", { name: "Wygląd" }), "ciemny")
    expect(root).toHaveClass("dark")
    root.className = ""
    new Function(applyThemeScript)()
    expect(root).toHaveClass("dark")
    await person.selectOptions(screen.getByRole("combobox", { name: "Wygląd" }), "jak w systemie")
    expect(root).not.toHaveClass("dark")
  })
})

describe("the change of password", () => {
  const form = () => screen.getByRole("form", { name: "Zmiana hasła" })
  const submit = () => within(form()).getByRole("button", { name: "Zmień hasło" })

  async function submitPasswords(
    person: ReturnType<typeof renderScreen>["person"],
    ...values: string[]
  ) {
    const labels = ["Obecne hasło", "Nowe hasło", "Powtórz nowe hasło"]
    for (const [i, text] of values.entries())
      if (text) await person.type(screen.getByLabelText(labels[i] ?? ""), text)
    await person.click(submit())
  }

  it("requires six characters in each field first", async () => {
    const requests = mockServer(baseResponses)
    const { person } = renderAccount()
    await submitPasswords(person, "stare", "Nowe1", "Nowe1")
    expect(await screen.findAllByText("Hasło musi mieć minimum 6 znaków")).toHaveLength(3)
    expect(requests.some(({ endpoint }) => endpoint === change)).toBe(false)
  })

  it("then requires the password rules, and a matching confirmation", async () => {
    mockServer(baseResponses)
    const { person } = renderAccount()
    await submitPasswords(person, "Stare123", "nowehaslo", "nowehaslo7")
    expect(await screen.findByText("Hasło nie spełnia wszystkich wymagań")).toBeVisible()
    expect(screen.getByText("Hasła nie są takie same")).toBeVisible()
  })

  it("reports success, resets the form, and refetches the sessions", async () => {
    const requests = mockServer({
      ...baseResponses,
      [change]: { body: { ok: true, message: "x" } },
    })
    const { person } = renderAccount()
    await submitPasswords(person, "Stare123", "Gwizdek7", "Gwizdek7")
    expect(await within(form()).findByRole("status")).toHaveTextContent("Hasło zostało zmienione")
    expect(screen.getAllByText("Hasło zostało zmienione")).toHaveLength(2)
    expect(screen.getByLabelText("Obecne hasło")).toHaveValue("")
    expect(requests.find(({ endpoint }) => endpoint === change)?.body).toEqual({
      currentPassword: "Stare123",
      newPassword: "Gwizdek7",
      confirmPassword: "Gwizdek7",
    })
    await waitFor(() =>
      expect(requests.filter(({ endpoint }) => endpoint === list)).toHaveLength(2),
    )
  })

  it("shows a wrong current password at its field, and 'Błąd zmiany hasła'", async () => {
    const fields = { currentPassword: "Obecne hasło jest nieprawidłowe." }
    const body = { error: "wrong_password", message: fields.currentPassword, fields }
    mockServer({ ...baseResponses, [change]: { status: 400, body } })
    const { person } = renderAccount()
    await submitPasswords(person, "Stare124", "Gwizdek7", "Gwizdek7")
    await waitFor(() => expect(screen.getByLabelText("Obecne hasło")).toHaveFocus())
    expect(screen.getByLabelText("Obecne hasło")).toHaveAccessibleDescription(
      fields.currentPassword,
    )
    expect(screen.getByText("Błąd zmiany hasła")).toBeInTheDocument()
  })

  it.each([
    [errorResponse(429, "too_many_requests", "Za często"), "Za często"],
    [{ status: 502, body: "<html>" }, "Nie udało się zmienić hasła"],
  ])("shows in the form why it failed", async (answer, why) => {
    mockServer({ ...baseResponses, [change]: answer })
    const { person } = renderAccount()
    await submitPasswords(person, "Stare123", "Gwizdek7", "Gwizdek7")
    expect(await within(form()).findByRole("alert")).toHaveTextContent(`Błąd zmiany hasła${why}`)
  })

  it("tells a password manager whose password it is", () => {
    mockServer(baseResponses)
    renderAccount()
    const username = form().querySelector('[autocomplete="username"]')
    expect(username).toHaveValue("anna@acme.test")
    expect(username).not.toBeVisible()
    expect(screen.getByLabelText("Obecne hasło")).toHaveAttribute(
      "autocomplete",
      "current-password",
    )
  })
})

describe("the signed-in devices", () => {
  const region = () => screen.findByRole("region", { name: "Zalogowane urządzenia" })

  it("are listed, this one first, and only the others can be signed out", async () => {
    mockServer({ ...baseResponses, [list]: { body: [session("other"), currentSession] } })
    renderAccount()
    const rows = await within(await region()).findAllByRole("listitem")
    expect(rows.map((row) => within(row).queryByText("To urządzenie") !== null)).toEqual([
      true,
      false,
    ])
    expect(rows[0]).toHaveTextContent("Chrome, Windows")
    expect(rows[1]).toHaveTextContent("Firefox, Linux")
    expect(rows[1]).toHaveTextContent("192.0.2.7Ostatnia aktywność: 20.11.2026, 09:00")
    const buttons = within(await region()).getAllByRole("button", { name: /^Wyloguj: / })
    expect(buttons).toHaveLength(1)
    expect(buttons[0]).toHaveAccessibleName("Wyloguj: Firefox, Linux, 20.11.2026, 09:00")
  })

  it("offer nothing to sign out when there is only this one", async () => {
    mockServer(baseResponses)
    renderAccount()
    await screen.findByText("To urządzenie")
    expect(within(await region()).queryByRole("button")).toBeNull()
  })

  it("name our support, and the person in whose name an operator acts", async () => {
    const ours = { ...session("ours"), agent: "", ip: "", operator: true }
    const other = { ...session("other"), inNameOf: "anna@acme.test" }
    mockServer({ ...baseResponses, [list]: { body: [currentSession, ours, other] } })
    renderAccount()
    expect(await screen.findByText("Nasza obsługa, w Twoim imieniu")).toBeVisible()
    expect(screen.getByText("W imieniu: anna@acme.test")).toBeVisible()
    const buttons = within(await region()).getAllByRole("button", { name: /^Wyloguj: / })
    expect(buttons[0]).toHaveAccessibleName(/^Wyloguj: Nasza obsługa, w Twoim imieniu/)
  })

  it("are signed out one by one", async () => {
    let all = [currentSession, session("other")]
    const requests = mockServer({
      ...baseResponses,
      [list]: () => ({ body: all }),
      "DELETE /api/sessions/other": () => {
        all = [currentSession]
        return { body: { id: "other" } }
      },
    })
    const { person } = renderAccount()
    await person.click(await screen.findByRole("button", { name: /^Wyloguj: Firefox/ }))
    await waitFor(() => expect(screen.queryByText("Firefox, Linux")).toBeNull())
    expect(within(await region()).getByRole("status")).toHaveTextContent("Wylogowano 1 urządzenie")
    expect(requests.filter(({ endpoint }) => endpoint === list)).toHaveLength(2)
  })

  it("are signed out everywhere else at once", async () => {
    let all = [currentSession, session("a"), session("b")]
    mockServer({
      ...baseResponses,
      [list]: () => ({ body: all }),
      "POST /api/sessions/revoke-others": () => {
        all = [currentSession]
        return { body: { ok: true, count: 2 } }
      },
    })
    const { person } = renderAccount()
    await person.click(await screen.findByRole("button", { name: "Wyloguj wszędzie indziej" }))
    await waitFor(async () =>
      expect(within(await region()).getByRole("status")).toHaveTextContent(
        "Wylogowano 2 urządzenia",
      ),
    )
    expect(screen.queryByText("Firefox, Linux")).toBeNull()
    expect(within(await region()).getByRole("status")).toHaveFocus()
  })

  it("show the first five, and the others on request", async () => {
    const many = Array.from({ length: 7 }, (_, i) => session(`s${i}`))
    mockServer({ ...baseResponses, [list]: { body: [currentSession, ...many] } })
    const { person } = renderAccount()
    const rows = async () => within(await region()).findAllByRole("listitem")
    expect(await rows()).toHaveLength(5)
    await person.click(await screen.findByRole("button", { name: "Pokaż wszystkie (8)" }))
    expect(await rows()).toHaveLength(8)
  })

  it("report in place that a device could not be signed out", async () => {
    mockServer({
      ...baseResponses,
      [list]: { body: [currentSession, session("other")] },
      "DELETE /api/sessions/other": errorResponse(503, "unavailable", "Chwilowo nie"),
    })
    const { person } = renderAccount()
    await person.click(await screen.findByRole("button", { name: /^Wyloguj: Firefox/ }))
    expect(await within(await region()).findByRole("alert")).toHaveTextContent(
      "Nie udało się wylogować urządzeniaChwilowo nie",
    )
  })

  it("report a load error, and load on retry", async () => {
    let broken = true
    mockServer({
      ...baseResponses,
      [list]: () =>
        broken ? errorResponse(500, "server_error", "Ups") : { body: [currentSession] },
    })
    const { person } = renderAccount()
    expect(await screen.findByRole("alert")).toHaveTextContent("Nie udało się wczytać listy")
    broken = false
    await person.click(screen.getByRole("button", { name: "Spróbuj ponownie" }))
    expect(await screen.findByText("To urządzenie")).toBeVisible()
  })
})

describe("the data-processing agreement", () => {
  const path = "GET /api/company/data-processing-agreement"
  const action = () => screen.getByRole("button", { name: "Pobierz umowę powierzenia" })

  it("is saved as a file, in the language of the screen", async () => {
    const asked: (string | null)[] = []
    const headers = { "Content-Disposition": 'inline; filename="umowa-powierzenia-danych.pdf"' }
    mockServer({
      ...baseResponses,
      [path]: (_, query) => {
        asked.push(query.get("lang"))
        return { body: "%PDF-", headers }
      },
    })
    URL.createObjectURL = () => "blob:y" // jsdom has none
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(`${this.download} ${this.href}`)
    })
    const { person } = renderAccount()
    await person.click(action())
    expect(await screen.findByText("Umowa została pobrana")).toBeVisible()
    expect(saved).toEqual(["umowa-powierzenia-danych.pdf blob:y"])
    expect(asked).toEqual(["pl"])
  })

  it("reports a failure", async () => {
    mockServer({ ...baseResponses, [path]: errorResponse(503, "unavailable", "Chwilowo nie") })
    const { person } = renderAccount()
    await person.click(action())
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "Nie udało się pobrać umowyChwilowo nie",
    )
  })
})

describe("the export of the company's data", () => {
  const action = () => screen.getByRole("button", { name: "Pobierz dane" })

  it("is saved as a file under the server's name", async () => {
    const headers = { "Content-Disposition": 'attachment; filename="prawko-2026-11-21.zip"' }
    mockServer({ ...baseResponses, "GET /api/company/export": { body: "PK", headers } })
    URL.createObjectURL = () => "blob:x" // jsdom has none
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(`${this.download} ${this.href}`)
    })
    const { person } = renderAccount()
    await person.click(action())
    expect(await screen.findByText("Archiwum zostało pobrane")).toBeVisible()
    expect(saved).toEqual(["prawko-2026-11-21.zip blob:x"])
  })

  it("reports a failure", async () => {
    mockServer({
      ...baseResponses,
      "GET /api/company/export": errorResponse(503, "unavailable", "Chwilowo nie"),
    })
    const { person } = renderAccount()
    await person.click(action())
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "Nie udało się pobrać danychChwilowo nie",
    )
  })
})

describe("two-step verification", () => {
  const start = "POST /api/user/second-factor"
  const confirm = "POST /api/user/second-factor/confirm"
  const disable = "DELETE /api/user/second-factor"
  const replace = "POST /api/user/second-factor/recovery-codes"
  const codes = ["7KQD-M2XA-9TRC", "AAAA-BBBB-CCCC"]
  const setup = {
    secret: "ABCDEFGH",
    uri: "otpauth://totp/x",
    qrCode: { size: 21, path: "M0 0h7v1h-7z" },
  }
  const press = async (person: ReturnType<typeof renderScreen>["person"], name: string) =>
    person.click(await screen.findByRole("button", { name }))

  it("is switched on with the password and a code, and shows the recovery codes once", async () => {
    let status = off
    const requests = mockServer({
      ...baseResponses,
      [secondFactor]: () => ({ body: status }),
      [start]: { body: setup },
      [confirm]: () => {
        status = on
        return { body: { recoveryCodes: codes } }
      },
    })
    const { person } = renderAccount()
    await press(person, "Włącz weryfikację")
    const dialog = screen.getByRole("dialog", { name: "Włączanie weryfikacji dwuetapowej" })
    await person.type(within(dialog).getByLabelText("Obecne hasło"), "Gwizdek7{Enter}")
    expect(await within(dialog).findByRole("img")).toHaveAccessibleName(
      "Kod QR dla aplikacji uwierzytelniającej",
    )
    expect(within(dialog).getByText("ABCD EFGH")).toBeVisible()
    const code = within(dialog).getByLabelText("Kod z aplikacji")
    expect(code).toHaveFocus()
    expect(code).toHaveAttribute("autocomplete", "one-time-code")
    await person.type(code, "123 456{Enter}")
    expect(await within(dialog).findByText("7KQD-M2XA-9TRC")).toBeVisible()
    await press(person, "Kody są zapisane")
    expect(await screen.findByText("Włączona")).toBeVisible()
    expect(screen.getByText("Pozostało 10 kodów zapasowych")).toBeVisible()
    expect(screen.queryByText("7KQD-M2XA-9TRC")).toBeNull()
    expect(requests.find(({ endpoint }) => endpoint === start)?.body).toEqual({
      password: "Gwizdek7",
    })
    expect(requests.find(({ endpoint }) => endpoint === confirm)?.body).toEqual({ code: "123456" })
  })

  it("shows a wrong password and a wrong code at their fields", async () => {
    const wrong = (field: string, error: string, message: string) => ({
      status: 400,
      body: { error, message, fields: { [field]: message } },
    })
    mockServer({
      ...baseResponses,
      [secondFactor]: { body: on },
      [disable]: (body) =>
        (body as { password: string }).password === "stare"
          ? wrong("password", "wrong_password", "Obecne hasło jest nieprawidłowe.")
          : wrong("code", "invalid_second_factor", "Zły kod."),
    })
    const { person } = renderAccount()
    await press(person, "Wyłącz weryfikację")
    const dialog = screen.getByRole("dialog", { name: "Wyłącz weryfikację" })
    const password = within(dialog).getByLabelText("Obecne hasło")
    await person.type(password, "stare")
    await person.type(within(dialog).getByLabelText(/^Kod z aplikacji/), "123456{Enter}")
    await waitFor(() =>
      expect(password).toHaveAccessibleDescription("Obecne hasło jest nieprawidłowe."),
    )
    await person.type(password, "x{Enter}")
    await waitFor(() =>
      expect(within(dialog).getByLabelText(/^Kod z aplikacji/)).toHaveAccessibleDescription(
        /Zły kod\./,
      ),
    )
  })

  it("is switched off with the password and a code", async () => {
    let status = on
    const requests = mockServer({
      ...baseResponses,
      [secondFactor]: () => ({ body: status }),
      [disable]: () => {
        status = off
        return { body: { ok: true } }
      },
    })
    const { person } = renderAccount()
    await press(person, "Wyłącz weryfikację")
    const dialog = screen.getByRole("dialog")
    await person.type(within(dialog).getByLabelText("Obecne hasło"), "Gwizdek7")
    await person.type(within(dialog).getByLabelText(/^Kod z aplikacji/), "7KQD-M2XA-9TRC{Enter}")
    expect(await screen.findByText("Wyłączona")).toBeVisible()
    expect(screen.queryByRole("dialog")).toBeNull()
    expect(requests.find(({ endpoint }) => endpoint === disable)?.body).toEqual({
      password: "Gwizdek7",
      code: "7KQDM2XA9TRC",
    })
  })

  it("warns of few recovery codes, and creates new ones", async () => {
    mockServer({
      ...baseResponses,
      [secondFactor]: { body: { ...on, recoveryCodesLeft: 2 } },
      [replace]: { body: { recoveryCodes: codes } },
    })
    const { person } = renderAccount()
    expect(await screen.findByText(/^Zostało mało kodów zapasowych/)).toBeVisible()
    await press(person, "Utwórz nowe kody zapasowe")
    const dialog = screen.getByRole("dialog")
    await person.type(within(dialog).getByLabelText("Obecne hasło"), "Gwizdek7")
    await person.type(within(dialog).getByLabelText(/^Kod z aplikacji/), "123456{Enter}")
    expect(await within(dialog).findAllByRole("listitem")).toHaveLength(2)
  })

  it("tells operators that they need it", async () => {
    mockServer({ ...baseResponses, [secondFactor]: { body: { ...off, required: true } } })
    renderAccount()
    expect(await screen.findByText(/^Konto operatora musi mieć/)).toBeVisible()
  })
})
