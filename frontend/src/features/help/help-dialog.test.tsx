import { screen, waitFor, within } from "@testing-library/react"
import { useState } from "react"
import { afterEach, describe, expect, it } from "vitest"
import { changeLanguage } from "~/lib/i18n"
import { tieWords } from "~/lib/line-ends"
import { anna } from "~/testing/fixtures"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { HelpDialog } from "./help-dialog"

const endpoint = "POST /api/help/ticket"
const successResponse = {
  [endpoint]: { status: 201, body: { ok: true, message: "Wiadomość wysłana" } },
}
const subject = () => screen.getByLabelText("Temat")
const message = () => screen.getByLabelText("Wiadomość")
const send = () => screen.getByRole("button", { name: "Wyślij wiadomość" })
const honeypot = () => document.querySelector<HTMLInputElement>("input[name=website]")

function Help() {
  const [open, setOpen] = useState(true)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Pomoc
      </button>
      <HelpDialog open={open} onClose={() => setOpen(false)} />
    </>
  )
}

async function openContactTab() {
  const { person } = renderScreen(<Help />, { user: anna })
  await person.click(screen.getByRole("tab", { name: "Kontakt" }))
  return person
}

async function fillTicket(person: Awaited<ReturnType<typeof openContactTab>>) {
  await person.type(subject(), "Faktura")
  await person.type(message(), "Proszę o fakturę.")
}

afterEach(() => changeLanguage("pl"))

describe("the guide", () => {
  it("comes first, in four chapters and with the keys", () => {
    mockServer({})
    renderScreen(<Help />, { user: anna })
    expect(screen.getByRole("tab", { name: "Przewodnik" })).toHaveAttribute("aria-selected", "true")
    expect(screen.getAllByRole("heading", { level: 3 }).map((one) => one.textContent)).toEqual([
      "Pierwsze kroki",
      "Weryfikacja",
      "Powiadomienia",
      "Subskrypcja",
      "Skróty klawiszowe",
    ])
    expect(
      screen.getByText("Odsunięcie kierowcy od jazdy").previousElementSibling,
    ).toHaveTextContent("o")
  })

  it("gives the times of the check in English as specified", async () => {
    mockServer({})
    await changeLanguage("en")
    renderScreen(<Help />, { user: anna })
    expect(screen.getByText(/6:00 AM.*around 7:00 AM/)).toBeVisible()
  })
})

describe("a message to support", () => {
  it("requires a subject and ten characters", async () => {
    const requests = mockServer(successResponse)
    const person = await openContactTab()
    await person.type(message(), "  za krót  ")
    await person.click(send())
    await waitFor(() => expect(subject()).toHaveAccessibleDescription("Temat jest wymagany"))
    expect(message()).toHaveAccessibleDescription("Wiadomość musi mieć co najmniej 10 znaków")
    expect(requests).toEqual([])
  })

  it("is sent with the user's data, and the form is reset", async () => {
    const requests = mockServer(successResponse)
    const person = await openContactTab()
    await fillTicket(person)
    await person.click(send())
    expect(await screen.findAllByText("Wiadomość wysłana")).toHaveLength(2)
    expect(requests[0]?.body).toEqual({
      subject: "Faktura",
      message: "Proszę o fakturę.",
      website: "",
      userInfo: { email: "anna@acme.test", companyName: "Acme" },
    })
    expect(subject()).toHaveValue("")
    expect(message()).toHaveValue("")
  })

  it("has a hidden honeypot field, whose value is sent", async () => {
    const requests = mockServer(successResponse)
    const person = await openContactTab()
    expect(within(screen.getByRole("form")).getAllByRole("textbox")).toHaveLength(2)
    expect(honeypot()?.closest("[aria-hidden]")).not.toBeNull()
    expect(honeypot()).toHaveAttribute("tabindex", "-1")
    await fillTicket(person)
    const field = honeypot() as HTMLInputElement
    field.removeAttribute("tabindex")
    await person.type(field, "http://x.test")
    await person.click(send())
    await waitFor(() => expect(requests[0]?.body).toMatchObject({ website: "http://x.test" }))
  })

  it.each([
    [500, "server_error", "Ups"],
    [429, "too_many_requests", "Zbyt wiele wiadomości."],
  ])("that fails with %i stays in the form, which shows the error", async (status, key, said) => {
    mockServer({ [endpoint]: errorResponse(status, key, said) })
    const person = await openContactTab()
    await fillTicket(person)
    await person.click(send())
    const failed = "Nie udało się wysłać wiadomości. Spróbuj ponownie później."
    const alert = await within(screen.getByRole("form")).findByRole("alert")
    expect(alert).toHaveTextContent(`${failed}${said}`)
    expect(screen.getAllByText(failed)).toHaveLength(2)
    expect(subject()).toHaveValue("Faktura")
    expect(message()).toHaveValue("Proszę o fakturę.")
  })

  it("is kept as a draft while the guide or the panel is open", async () => {
    mockServer({})
    const person = await openContactTab()
    await fillTicket(person)
    await person.click(screen.getByRole("tab", { name: "Przewodnik" }))
    await person.click(screen.getByRole("tab", { name: "Kontakt" }))
    expect(message()).toHaveValue("Proszę o fakturę.")
    await person.keyboard("{Escape}")
    expect(screen.queryByRole("dialog")).toBeNull()
    await person.click(screen.getByRole("button", { name: "Pomoc" }))
    await person.click(screen.getByRole("tab", { name: "Kontakt" }))
    expect(subject()).toHaveValue("Faktura")
  })

  it("is rejected at the field that the server names", async () => {
    const fields = { subject: "Temat może mieć najwyżej 200 znaków" }
    mockServer({
      [endpoint]: {
        status: 422,
        body: { error: "invalid_ticket", message: fields.subject, fields },
      },
    })
    const person = await openContactTab()
    await fillTicket(person)
    await person.click(send())
    await waitFor(() => expect(subject()).toHaveAccessibleDescription(tieWords(fields.subject)))
    expect(subject()).toHaveFocus()
  })
})
