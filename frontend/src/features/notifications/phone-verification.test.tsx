import { act, fireEvent, screen, waitFor } from "@testing-library/react"
import { afterEach, describe, expect, it, vi } from "vitest"
import { changeLanguage } from "~/shared/i18n"
import { queryClient } from "~/shared/query-client"
import { sessionQuery } from "~/shared/session"
import { answering, refused } from "~/testing/answers"
import { anna } from "~/testing/people"
import { show } from "~/testing/screen"
import { PhoneVerification } from "./phone-verification"

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
const showPhone = () => show(<PhoneVerification />, { user: anna })

afterEach(() => changeLanguage("pl"))

async function codeSent(answers = {}) {
  const asked = answering({ ...user, ...sent, ...answers })
  const { person } = showPhone()
  await person.type(phone(), "+48 600 100-200")
  await person.click(send())
  await screen.findByLabelText("Kod weryfikacyjny")
  return { asked, person }
}

describe("a phone number", () => {
  it.each([
    ["", "Wprowadź numer telefonu"],
    ["600100200", "Numer telefonu musi być w formacie +48XXXXXXXXX"],
    ["+4860010020", "Numer telefonu musi być w formacie +48XXXXXXXXX"],
    ["+486001002000", "Numer telefonu musi być w formacie +48XXXXXXXXX"],
    ["+48٦٠٠١٠٠٢٠٠", "Numer telefonu musi być w formacie +48XXXXXXXXX"],
  ])("%j is answered with %j, and nothing is sent", async (typed, said) => {
    const asked = answering(user)
    const { person } = showPhone()
    if (typed) await person.type(phone(), typed)
    await person.click(send())
    await waitFor(() => expect(phone()).toHaveAccessibleDescription(expect.stringContaining(said)))
    expect(asked.map(({ call }) => call)).not.toContain(sendCall)
  })

  it("is sent with its prefix and without the blanks", async () => {
    const { asked } = await codeSent()
    expect(asked.find(({ call }) => call === sendCall)?.body).toEqual({ phoneNumber: number })
    expect(screen.getByText("Kod wysłany")).toBeInTheDocument()
  })

  it("is asked of an English reader as nine digits, and still sent with its prefix", async () => {
    const asked = answering({ ...user, ...sent })
    await changeLanguage("en")
    const { person } = showPhone()
    const field = screen.getByLabelText("Phone number")
    await person.type(field, "60010020")
    await person.click(screen.getByRole("button", { name: "Send code" }))
    expect(await screen.findByText("Phone number must be 9 digits")).toBeVisible()
    await person.type(field, "0")
    await person.click(screen.getByRole("button", { name: "Send code" }))
    await screen.findByLabelText("Verification code")
    expect(asked.find(({ call }) => call === sendCall)?.body).toEqual({ phoneNumber: number })
  })

  it("is refused beside the field when the server has something against it", async () => {
    const fields = { phoneNumber: "Numer telefonu musi być w formacie +48XXXXXXXXX" }
    answering({
      ...user,
      [sendCall]: {
        status: 422,
        body: { error: "invalid_phone", message: fields.phoneNumber, fields },
      },
    })
    const { person } = showPhone()
    await person.type(phone(), number)
    await person.click(send())
    await waitFor(() => expect(phone()).toBeInvalid())
    expect(phone()).toHaveFocus()
    expect(screen.getByText("Błąd podczas wysyłania kodu weryfikacyjnego")).toBeInTheDocument()
  })

  it("that has had its share of codes waits as long as it was told, another one does not", async () => {
    answering({
      ...user,
      [sendCall]: {
        ...refused(429, "too_many_requests", "Zbyt wiele prób."),
        headers: { "Retry-After": "90" },
      },
    })
    const { person } = showPhone()
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
  it("brings its field and its button, and locks the number", async () => {
    await codeSent()
    expect(code()).toHaveFocus()
    expect(code()).toHaveAttribute("autocomplete", "one-time-code")
    expect(phone()).toBeDisabled()
    expect(phone()).toHaveValue("+48 600 100 200")
    expect(screen.getByRole("button", { name: "Zweryfikuj" })).toBeEnabled()
    expect(countdown()).toBeDisabled()
  })

  it("is sent again after thirty seconds by the wall clock, in a hidden tab as well", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] })
    vi.setSystemTime("2026-11-21T10:00:00Z")
    answering({ ...user, ...sent })
    showPhone()
    fireEvent.change(phone(), { target: { value: number } })
    fireEvent.click(send())
    await screen.findByLabelText("Kod weryfikacyjny")
    expect(countdown()).toHaveAccessibleName("Wyślij ponownie za 30 s")
    act(() => vi.advanceTimersByTime(1000))
    expect(countdown()).toHaveAccessibleName("Wyślij ponownie za 29 s")

    vi.setSystemTime("2026-11-21T10:00:21Z") // the tab slept: no timer has run
    fireEvent(document, new Event("visibilitychange"))
    expect(countdown()).toHaveAccessibleName("Wyślij ponownie za 9 s")
    vi.setSystemTime("2026-11-21T10:00:30Z")
    fireEvent(document, new Event("visibilitychange"))
    const again = screen.getByRole("button", { name: "Wyślij kod ponownie" })
    expect(again).toBeEnabled()

    fireEvent.click(again)
    await waitFor(() => expect(countdown()).toHaveAccessibleName("Wyślij ponownie za 30 s"))
    vi.setSystemTime("2026-11-21T09:00:00Z") // a clock set back locks nobody out
    fireEvent(document, new Event("visibilitychange"))
    expect(screen.getByRole("button", { name: "Wyślij kod ponownie" })).toBeEnabled()
  })

  it("waits as long as the server says when another one is refused", async () => {
    let times = 0
    const { person } = await codeSent({
      [sendCall]: () => {
        times += 1
        if (times === 1) return { body: { ok: true, message: "x", resendAfter: 0 } }
        return {
          ...refused(429, "too_many_requests", "Zbyt wiele prób."),
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
  ])("typed as %j is answered with %j", async (typed, said) => {
    const { asked, person } = await codeSent()
    if (typed) await person.type(code(), typed)
    await person.click(screen.getByRole("button", { name: "Zweryfikuj" }))
    await waitFor(() => expect(code()).toHaveAccessibleDescription(expect.stringContaining(said)))
    expect(asked.map(({ call }) => call)).not.toContain(verifyCall)
  })

  it("that is wrong is refused, and can be typed anew", async () => {
    const { person } = await codeSent({
      [verifyCall]: refused(400, "invalid_phone_code", "Błąd podczas weryfikacji kodu"),
    })
    await person.type(code(), "111111{Enter}")
    expect(await screen.findByRole("alert")).toHaveTextContent(/^Błąd podczas weryfikacji kodu$/)
    expect(screen.getAllByText("Błąd podczas weryfikacji kodu")).toHaveLength(2)
    expect(code()).toHaveFocus()
  })

  it("that is wrong is named so in English, which a failing server is not", async () => {
    let answer = refused(400, "invalid_phone_code", "Invalid verification code")
    answering({ ...user, ...sent, [verifyCall]: () => answer })
    await changeLanguage("en")
    const { person } = showPhone()
    await person.type(screen.getByLabelText("Phone number"), "600100200{Enter}")
    await person.type(await screen.findByLabelText("Verification code"), "111111{Enter}")
    expect(await screen.findAllByText("Invalid verification code")).toHaveLength(2)
    answer = { status: 502, body: "<html>" }
    await person.keyboard("{Enter}")
    expect(await screen.findAllByText("Failed to verify the code")).toHaveLength(2)
  })

  it("verifies the phone, whatever blanks it was pasted with", async () => {
    const { asked, person } = await codeSent(verified)
    queryClient.setQueryData(sessionQuery.queryKey, anna)
    answering({
      "GET /api/user": { body: { ...anna, phoneNumber: number, phoneVerified: true } },
      [verifyCall]: (body) => {
        asked.push({ call: verifyCall, body, language: null })
        return { body: { ok: true, message: "x", phoneNumber: number } }
      },
    })
    await person.click(code())
    await person.paste(" 123 456 ")
    await person.keyboard("{Enter}")
    expect(await screen.findByText("Zweryfikowany")).toBeVisible()
    expect(screen.getByText("Weryfikacja zakończona")).toBeInTheDocument()
    expect(screen.getByText("+48 600 100 200")).toBeVisible()
    expect(asked.at(-1)?.body).toEqual({ code: "123456" })
    expect(screen.getByRole("heading", { name: "Telefon" })).toHaveFocus()
  })

  it("can be given up for another number", async () => {
    const { person } = await codeSent()
    await person.click(screen.getByRole("button", { name: "Podaj inny numer" }))
    await waitFor(() => expect(phone()).toHaveFocus())
    expect(phone()).toBeEnabled()
    expect(screen.queryByLabelText("Kod weryfikacyjny")).toBeNull()
  })

  it("is still asked for when one comes back from another screen", async () => {
    await codeSent()
    show(<PhoneVerification />, { user: anna })
    expect(screen.getAllByLabelText("Kod weryfikacyjny")).toHaveLength(2)
  })
})

describe("a verified phone", () => {
  it("stands there, and can be changed or kept", async () => {
    const known = { ...anna, phoneNumber: number, phoneVerified: true }
    answering({ "GET /api/user": { body: known } })
    const { person } = show(<PhoneVerification />, { user: known })
    await person.click(screen.getByRole("button", { name: "Zmień numer" }))
    expect(phone()).toHaveFocus()
    expect(phone()).toHaveValue("")
    await person.click(screen.getByRole("button", { name: "Anuluj" }))
    expect(screen.getByText("Zweryfikowany")).toBeVisible()
  })
})
