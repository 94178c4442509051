import { act, fireEvent, screen, waitFor } from "@testing-library/react"
import { afterEach, describe, expect, it, vi } from "vitest"
import { changeLanguage } from "~/lib/i18n"
import { queryClient } from "~/lib/query-client"
import { sessionQuery } from "~/lib/session"
import { anna } from "~/testing/fixtures"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { PhoneVerification } from "./phone-verification"
import { TestAlert } from "./test-alert"

const number = "+48600100200"
const sendCall = "POST /api/notifications/send-verification-sms"
const verifyCall = "POST /api/notifications/verify-sms"
const user = { "GET /api/user": { body: anna } }
const sent = { [sendCall]: { body: { ok: true, message: "Kod wysłany", resendAfter: 30 } } }
const verified = {
  [verifyCall]: { body: { ok: true, message: "Weryfikacja zakończona", phoneNumber: number } },
}

const phone = () => screen.getByLabelText("Numer telefonu")
const code = () => screen.getByLabelText("Kod weryfikacyjny")
const send = () => screen.getByRole("button", { name: "Wyślij kod" })
const countdown = () => screen.getByRole("button", { name: /^Wyślij ponownie za/ })
const renderPhone = () => renderScreen(<PhoneVerification />, { user: anna })

afterEach(() => changeLanguage("pl"))

async function renderWithSentCode(answers = {}) {
  const requests = mockServer({ ...user, ...sent, ...answers })
  const { person } = renderPhone()
  await person.type(phone(), "+48 600 100-200")
  await person.click(send())
  await screen.findByLabelText("Kod weryfikacyjny")
  return { requests, person }
}

describe("a phone number", () => {
  it.each([
    ["", "Wprowadź numer telefonu"],
    ["60010020", "Numer telefonu musi być w formacie +48XXXXXXXXX"],
    ["+49600100200", "Numer telefonu musi być w formacie +48XXXXXXXXX"],
    ["+4860010020", "Numer telefonu musi być w formacie +48XXXXXXXXX"],
    ["+486001002000", "Numer telefonu musi być w formacie +48XXXXXXXXX"],
    ["+48٦٠٠١٠٠٢٠٠", "Numer telefonu musi być w formacie +48XXXXXXXXX"],
  ])("%j is rejected with %j, and no request is sent", async (typed, said) => {
    const requests = mockServer(user)
    const { person } = renderPhone()
    if (typed) await person.type(phone(), typed)
    await person.click(send())
    await waitFor(() => expect(phone()).toHaveAccessibleDescription(expect.stringContaining(said)))
    expect(requests.map(({ endpoint }) => endpoint)).not.toContain(sendCall)
  })

  it("is asked for at once where a link leads to it", async () => {
    mockServer(user)
    renderScreen(<PhoneVerification />, { user: anna, path: "/here#phone" })
    await waitFor(() => expect(phone()).toHaveFocus())
  })

  it("is sent with its prefix and without spaces", async () => {
    const { requests } = await renderWithSentCode()
    expect(requests.find(({ endpoint }) => endpoint === sendCall)?.body).toEqual({
      phoneNumber: number,
    })
    expect(screen.getByText("Kod wysłany")).toBeInTheDocument()
  })

  it.each([
    "600100200",
    "600-100/200",
    "(+48) 600 100 200",
    "0048600100200",
    "48 600 100 200",
    "tel:+48600100200",
    "Tel.: 600 100 200",
    "kom. 600.100.200",
  ])("%j is sent with its prefix, in Polish too", async (typed) => {
    const requests = mockServer({ ...user, ...sent })
    const { person } = renderPhone()
    await person.type(phone(), typed)
    await person.click(send())
    await screen.findByLabelText("Kod weryfikacyjny")
    expect(requests.find(({ endpoint }) => endpoint === sendCall)?.body).toEqual({
      phoneNumber: number,
    })
  })

  it("needs only nine digits in English, and is still sent with its prefix", async () => {
    const requests = mockServer({ ...user, ...sent })
    await changeLanguage("en")
    const { person } = renderPhone()
    const field = screen.getByLabelText("Phone number")
    await person.type(field, "60010020")
    await person.click(screen.getByRole("button", { name: "Send code" }))
    expect(await screen.findByText("Phone number must be 9 digits")).toBeVisible()
    await person.type(field, "0")
    await person.click(screen.getByRole("button", { name: "Send code" }))
    await screen.findByLabelText("Verification code")
    expect(requests.find(({ endpoint }) => endpoint === sendCall)?.body).toEqual({
      phoneNumber: number,
    })
  })

  it("is rejected at the field when the server rejects it", async () => {
    const fields = { phoneNumber: "Numer telefonu musi być w formacie +48XXXXXXXXX" }
    mockServer({
      ...user,
      [sendCall]: {
        status: 422,
        body: { error: "invalid_phone", message: fields.phoneNumber, fields },
      },
    })
    const { person } = renderPhone()
    await person.type(phone(), number)
    await person.click(send())
    await waitFor(() => expect(phone()).toBeInvalid())
    expect(phone()).toHaveFocus()
    expect(screen.getByText("Błąd podczas wysyłania kodu weryfikacyjnego")).toBeInTheDocument()
  })

  it("that is throttled waits as long as the server says, another one does not", async () => {
    mockServer({
      ...user,
      [sendCall]: {
        ...errorResponse(429, "too_many_requests", "Zbyt wiele prób."),
        headers: { "Retry-After": "90" },
      },
    })
    const { person } = renderPhone()
    await person.type(phone(), number)
    await person.click(send())
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "Błąd podczas wysyłania kodu weryfikacyjnegoZbyt wiele prób.",
    )
    expect(countdown()).toBeDisabled()
    expect(countdown()).toHaveAccessibleName("Wyślij ponownie za 90 s")
    await person.type(phone(), "{Backspace}1")
    expect(send()).toBeEnabled()
  })
})

describe("a sent code", () => {
  it("shows the code field and its button, and locks the number", async () => {
    await renderWithSentCode()
    expect(code()).toHaveFocus()
    expect(code()).toHaveAttribute("autocomplete", "one-time-code")
    expect(phone()).toBeDisabled()
    expect(phone()).toHaveValue("+48 600 100 200")
    expect(screen.getByRole("button", { name: "Zweryfikuj" })).toBeEnabled()
    expect(countdown()).toBeDisabled()
  })

  it("can be sent again after thirty seconds by the wall clock, in a hidden tab as well", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] })
    vi.setSystemTime("2026-11-21T10:00:00Z")
    mockServer({ ...user, ...sent })
    renderPhone()
    fireEvent.change(phone(), { target: { value: number } })
    fireEvent.click(send())
    await screen.findByLabelText("Kod weryfikacyjny")
    expect(countdown()).toHaveAccessibleName("Wyślij ponownie za 30 s")
    act(() => vi.advanceTimersByTime(1000))
    expect(countdown()).toHaveAccessibleName("Wyślij ponownie za 29 s")

    vi.setSystemTime("2026-11-21T10:00:21Z") // the tab was suspended: no timer has run
    fireEvent(document, new Event("visibilitychange"))
    expect(countdown()).toHaveAccessibleName("Wyślij ponownie za 9 s")
    vi.setSystemTime("2026-11-21T10:00:30Z")
    fireEvent(document, new Event("visibilitychange"))
    const again = screen.getByRole("button", { name: "Wyślij kod ponownie" })
    expect(again).toBeEnabled()

    fireEvent.click(again)
    await waitFor(() => expect(countdown()).toHaveAccessibleName("Wyślij ponownie za 30 s"))
    vi.setSystemTime("2026-11-21T09:00:00Z") // a clock that is set back must not block the user
    fireEvent(document, new Event("visibilitychange"))
    expect(screen.getByRole("button", { name: "Wyślij kod ponownie" })).toBeEnabled()
  })

  it("waits as long as the server says when another one is rejected", async () => {
    let times = 0
    const { person } = await renderWithSentCode({
      [sendCall]: () => {
        times += 1
        if (times === 1) return { body: { ok: true, message: "x", resendAfter: 0 } }
        return {
          ...errorResponse(429, "too_many_requests", "Zbyt wiele prób."),
          headers: { "Retry-After": "3600" },
        }
      },
    })
    await person.click(screen.getByRole("button", { name: "Wyślij kod ponownie" }))
    expect(await screen.findByRole("alert")).toHaveTextContent("Zbyt wiele prób.")
    expect(countdown()).toHaveAccessibleName("Wyślij ponownie za 60 min")
    expect(code()).toBeEnabled()
  })

  it.each([
    ["", "Wprowadź kod weryfikacyjny"],
    ["12345", "Kod weryfikacyjny musi składać się z 6 cyfr"],
    ["12a456", "Kod weryfikacyjny musi składać się z 6 cyfr"],
  ])("typed as %j is rejected with %j", async (typed, said) => {
    const { requests, person } = await renderWithSentCode()
    if (typed) await person.type(code(), typed)
    await person.click(screen.getByRole("button", { name: "Zweryfikuj" }))
    await waitFor(() => expect(code()).toHaveAccessibleDescription(expect.stringContaining(said)))
    expect(requests.map(({ endpoint }) => endpoint)).not.toContain(verifyCall)
  })

  it("that is wrong is rejected, and can be typed again", async () => {
    const { person } = await renderWithSentCode({
      [verifyCall]: errorResponse(400, "invalid_phone_code", "Błąd podczas weryfikacji kodu"),
    })
    await person.type(code(), "111111{Enter}")
    expect(await screen.findByRole("alert")).toHaveTextContent(/^Błąd podczas weryfikacji kodu$/)
    const messages = () => screen.getAllByText("Błąd podczas weryfikacji kodu")
    await waitFor(() => expect(messages()).toHaveLength(2))
    expect(code()).toHaveFocus()
  })

  it("that is wrong has its own message in English, unlike a server error", async () => {
    let answer = errorResponse(400, "invalid_phone_code", "Invalid verification code")
    mockServer({ ...user, ...sent, [verifyCall]: () => answer })
    await changeLanguage("en")
    const { person } = renderPhone()
    await person.type(screen.getByLabelText("Phone number"), "600100200{Enter}")
    await person.type(await screen.findByLabelText("Verification code"), "111111{Enter}")
    const both = (text: string) => waitFor(() => expect(screen.getAllByText(text)).toHaveLength(2))
    await both("Invalid verification code")
    answer = { status: 502, body: "<html>" }
    await person.keyboard("{Enter}")
    await both("Failed to verify the code")
  })

  it("verifies the phone, even if pasted with spaces", async () => {
    const { requests, person } = await renderWithSentCode(verified)
    queryClient.setQueryData(sessionQuery.queryKey, anna)
    mockServer({
      "GET /api/user": { body: { ...anna, phoneNumber: number, phoneVerified: true } },
      [verifyCall]: (body) => {
        requests.push({ endpoint: verifyCall, body, language: null })
        return { body: { ok: true, message: "x", phoneNumber: number } }
      },
    })
    await person.click(code())
    await person.paste(" 123-456 ")
    expect(await screen.findByText("Zweryfikowany")).toBeVisible()
    expect(await screen.findByText("Weryfikacja zakończona")).toBeInTheDocument()
    expect(screen.getByText("+48 600 100 200")).toBeVisible()
    expect(requests.at(-1)?.body).toEqual({ code: "123456" })
    expect(screen.getByRole("heading", { name: "Telefon" })).toHaveFocus()
  })

  it.each([
    [true, "Wyślij próbny alert"],
    [false, "Telefon"],
  ])("switches SMS on with it if that is ticked (%s), and leads on", async (isTicked, next) => {
    const settings = "PUT /api/notifications/settings"
    mockServer({ ...user, ...sent })
    const { person } = renderScreen(
      <>
        <TestAlert />
        <PhoneVerification />
      </>,
      { user: anna },
    )
    await person.type(phone(), `${number}{Enter}`)
    const box = await screen.findByRole("checkbox", { name: "Włącz powiadomienia SMS" })
    expect(box).toBeChecked()
    if (!isTicked) await person.click(box)
    const requests = mockServer({
      ...verified,
      "GET /api/user": { body: { ...anna, phoneNumber: number, phoneVerified: true } },
      "GET /api/alert-recipients": { body: {} },
      [settings]: { body: { emailEnabled: true, smsEnabled: true } },
    })
    await person.type(code(), "123456")
    await waitFor(() => expect(document.activeElement).toHaveTextContent(next))
    const saved = requests.filter(({ endpoint }) => endpoint === settings)
    expect(saved.map(({ body }) => body)).toEqual(isTicked ? [{ smsEnabled: true }] : [])
    expect(await screen.findByText("Weryfikacja zakończona")).toBeInTheDocument()
  })

  it("can be abandoned for another number", async () => {
    const { person } = await renderWithSentCode()
    await person.click(screen.getByRole("button", { name: "Podaj inny numer" }))
    await waitFor(() => expect(phone()).toHaveFocus())
    expect(phone()).toBeEnabled()
    expect(screen.queryByLabelText("Kod weryfikacyjny")).toBeNull()
  })

  it("is still requested after a visit to another screen", async () => {
    await renderWithSentCode()
    renderScreen(<PhoneVerification />, { user: anna })
    expect(screen.getAllByLabelText("Kod weryfikacyjny")).toHaveLength(2)
  })
})

describe("a verified phone", () => {
  it("is shown, and can be changed or kept", async () => {
    const known = { ...anna, phoneNumber: number, phoneVerified: true }
    mockServer({ "GET /api/user": { body: known } })
    const { person } = renderScreen(<PhoneVerification />, { user: known })
    await person.click(screen.getByRole("button", { name: "Zmień numer" }))
    expect(phone()).toHaveFocus()
    expect(phone()).toHaveValue("")
    await person.click(screen.getByRole("button", { name: "Anuluj" }))
    expect(screen.getByText("Zweryfikowany")).toBeVisible()
  })
})
