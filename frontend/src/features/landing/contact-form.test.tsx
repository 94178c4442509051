import { screen, waitFor } from "@testing-library/react"
import { describe, expect, it, vi } from "vitest"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { englishTexts } from "./english-texts"
import { LandingPage } from "./landing-page"
import { polishTexts } from "./polish-texts"

const confirmation = "Wiadomość została wysłana pomyślnie. Skontaktujemy się jak najszybciej."
const typed = {
  "Imię i nazwisko": "Anna Nowak",
  "E-mail": "anna@acme.test",
  Firma: "Acme",
  "Liczba kierowców": "12",
  Wiadomość: "Proszę o ofertę.",
}
const consent = () => screen.getByRole("checkbox")
const send = () => screen.getByRole("button", { name: "Wyślij wiadomość" })

async function fillForm() {
  vi.stubGlobal("scrollTo", vi.fn())
  const { person } = renderScreen(<LandingPage prerendered={polishTexts} />)
  for (const [label, text] of Object.entries(typed)) {
    await person.type(screen.getByLabelText(label), text)
  }
  await person.click(consent())
  return person
}

describe("the contact form", () => {
  it("cannot be sent until the privacy box is ticked", async () => {
    const { person } = renderScreen(<LandingPage prerendered={polishTexts} />)
    expect(send()).toBeDisabled()
    await person.click(consent())
    expect(send()).toBeEnabled()
    await person.click(consent())
    expect(send()).toBeDisabled()
  })

  it("requires every field, an e-mail address and at least one driver", () => {
    renderScreen(<LandingPage prerendered={polishTexts} />)
    for (const label of Object.keys(typed)) expect(screen.getByLabelText(label)).toBeRequired()
    expect(consent()).toBeRequired()
    expect(screen.getByLabelText("E-mail")).toHaveAttribute("type", "email")
    expect(screen.getByLabelText("Liczba kierowców")).toHaveAttribute("type", "number")
    expect(screen.getByLabelText("Liczba kierowców")).toHaveAttribute("min", "1")
  })

  it("says that it is sending, then is replaced by the confirmation at the top of the page", async () => {
    const requests = mockServer({ "POST /api/contact": { status: 201, body: { ok: true } } })
    const answering = fetch
    let answer = () => {}
    vi.stubGlobal("fetch", async (...call: Parameters<typeof fetch>) => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return answering(...call)
    })
    const person = await fillForm()
    await person.click(send())

    expect(screen.getByRole("button", { name: "Wysyłanie..." })).toBeDisabled()
    answer()
    expect(await screen.findByText(confirmation)).toBeVisible()
    expect(screen.getByText(confirmation).closest("[role=status]")).not.toBeNull()
    expect(screen.queryByRole("form")).toBeNull()
    expect(window.scrollTo).toHaveBeenCalledWith({ top: 0 })
    expect(screen.getByText("Dziękujemy! Twoja wiadomość już u nas jest.")).toBeVisible()
    expect(requests).toEqual([
      {
        endpoint: "POST /api/contact",
        language: "pl",
        body: {
          name: "Anna Nowak",
          email: "anna@acme.test",
          company: "Acme",
          driversCount: 12,
          message: "Proszę o ofertę.",
          website: "",
        },
      },
    ])
  })

  it.each([
    [
      "the server's message",
      errorResponse(429, "too_many_requests", "Spróbuj później."),
      "Spróbuj później.",
    ],
    [
      "its own without one",
      { status: 502, body: "<html>" },
      "Wystąpił błąd podczas wysyłania wiadomości",
    ],
  ])("shows %s after a failure and keeps what was typed", async (_, response, message) => {
    mockServer({ "POST /api/contact": response })
    const person = await fillForm()
    await person.click(send())

    const alert = await screen.findByRole("alert")
    expect(alert).toHaveTextContent(`Błąd${message}`)
    for (const [label, text] of Object.entries(typed)) {
      const value = label === "Liczba kierowców" ? Number(text) : text
      expect(screen.getByLabelText(label)).toHaveValue(value)
    }
    expect(send()).toBeEnabled()
  })

  it("shows its own message when the server cannot be reached", async () => {
    mockServer({})
    const person = await fillForm()
    await person.click(send())
    expect(await screen.findByRole("alert")).toHaveTextContent("Wystąpił błąd podczas wysyłania")
  })

  it("shows the server's message beside the field that it is about, and focuses it", async () => {
    const refusal = errorResponse(422, "invalid_contact_message", "Sprawdź pola formularza.")
    mockServer({
      "POST /api/contact": {
        ...refusal,
        body: { ...Object(refusal.body), fields: { company: "Podaj nazwę firmy.", other: "x" } },
      },
    })
    const person = await fillForm()
    await person.click(send())

    const company = screen.getByLabelText("Firma")
    await waitFor(() => expect(company).toHaveFocus())
    expect(company).toBeInvalid()
    expect(company).toHaveAccessibleDescription("Podaj nazwę firmy.")
    expect(screen.getByLabelText("E-mail")).toBeValid()
    expect(screen.getByRole("alert")).toHaveTextContent("Sprawdź pola formularza.")
  })

  it("asks the server for messages in the language of the page", async () => {
    const requests = mockServer({ "POST /api/contact": { status: 500 } })
    const { person } = renderScreen(<LandingPage prerendered={englishTexts} fixedLanguage="en" />)
    for (const label of ["Name", "Company", "Message"]) {
      await person.type(screen.getByLabelText(label), "Acme")
    }
    await person.type(screen.getByLabelText("Email"), "anna@acme.test")
    await person.type(screen.getByLabelText("Number of drivers"), "1")
    await person.click(screen.getByRole("checkbox"))
    await person.click(screen.getByRole("button", { name: "Send message" }))
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "Failed to send message. Please try again later.",
    )
    expect(requests[0]?.language).toBe("en")
  })
})
