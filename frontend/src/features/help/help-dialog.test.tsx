import { screen, waitFor, within } from "@testing-library/react"
import { useState } from "react"
import { afterEach, describe, expect, it } from "vitest"
import { changeLanguage } from "~/shared/i18n"
import { answering, refused } from "~/testing/answers"
import { anna } from "~/testing/people"
import { show } from "~/testing/screen"
import { HelpDialog } from "./help-dialog"

const call = "POST /api/help/ticket"
const ok = { [call]: { status: 201, body: { ok: true, message: "Wiadomość wysłana" } } }
const subject = () => screen.getByLabelText("Temat")
const message = () => screen.getByLabelText("Wiadomość")
const send = () => screen.getByRole("button", { name: "Wyślij wiadomość" })
const trap = () => document.querySelector<HTMLInputElement>("input[name=website]")

function Help() {
  const [open, setOpen] = useState(true)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Pomoc
      </button>
      <HelpDialog open={open} onOpenChange={setOpen} />
    </>
  )
}

async function contact() {
  const { person } = show(<Help />, { user: anna })
  await person.click(screen.getByRole("tab", { name: "Kontakt" }))
  return person
}

async function write(person: Awaited<ReturnType<typeof contact>>) {
  await person.type(subject(), "Faktura")
  await person.type(message(), "Proszę o fakturę.")
}

afterEach(() => changeLanguage("pl"))

describe("the guide", () => {
  it("comes first, in four chapters", () => {
    answering({})
    show(<Help />, { user: anna })
    expect(screen.getByRole("tab", { name: "Przewodnik" })).toHaveAttribute("aria-selected", "true")
    expect(screen.getAllByRole("heading", { level: 3 }).map((one) => one.textContent)).toEqual([
      "Pierwsze kroki",
      "Weryfikacja",
      "Powiadomienia",
      "Subskrypcja",
    ])
  })

  it("says the times of the check in English as the specification does", async () => {
    answering({})
    await changeLanguage("en")
    show(<Help />, { user: anna })
    expect(screen.getByText(/6:00 AM.*around 7:00 AM/)).toBeVisible()
  })
})

describe("a message to us", () => {
  it("needs a subject and ten characters", async () => {
    const asked = answering(ok)
    const person = await contact()
    await person.type(message(), "  za krót  ")
    await person.click(send())
    await waitFor(() => expect(subject()).toHaveAccessibleDescription("Temat jest wymagany"))
    expect(message()).toHaveAccessibleDescription("Wiadomość musi mieć co najmniej 10 znaków")
    expect(asked).toEqual([])
  })

  it("goes out with who writes it, and leaves an empty form", async () => {
    const asked = answering(ok)
    const person = await contact()
    await write(person)
    await person.click(send())
    expect(await screen.findAllByText("Wiadomość wysłana")).toHaveLength(2)
    expect(asked[0]?.body).toEqual({
      subject: "Faktura",
      message: "Proszę o fakturę.",
      website: "",
      userInfo: { email: "anna@acme.test", companyName: "Acme" },
    })
    expect(subject()).toHaveValue("")
    expect(message()).toHaveValue("")
  })

  it("has a field that only programs find, and sends what they put there", async () => {
    const asked = answering(ok)
    const person = await contact()
    expect(within(screen.getByRole("form")).getAllByRole("textbox")).toHaveLength(2)
    expect(trap()?.closest("[aria-hidden]")).not.toBeNull()
    expect(trap()).toHaveAttribute("tabindex", "-1")
    await write(person)
    const field = trap() as HTMLInputElement
    field.removeAttribute("tabindex")
    await person.type(field, "http://x.test")
    await person.click(send())
    await waitFor(() => expect(asked[0]?.body).toMatchObject({ website: "http://x.test" }))
  })

  it.each([
    [500, "server_error", "Ups"],
    [429, "too_many_requests", "Zbyt wiele wiadomości."],
  ])("that meets a %i stays in the form, which says that it failed", async (status, key, said) => {
    answering({ [call]: refused(status, key, said) })
    const person = await contact()
    await write(person)
    await person.click(send())
    const failed = "Nie udało się wysłać wiadomości. Spróbuj ponownie później."
    const alert = await within(screen.getByRole("form")).findByRole("alert")
    expect(alert).toHaveTextContent(`${failed}${said}`)
    expect(screen.getAllByText(failed)).toHaveLength(2)
    expect(subject()).toHaveValue("Faktura")
    expect(message()).toHaveValue("Proszę o fakturę.")
  })

  it("that was begun is still there after a look at the guide, or at the panel", async () => {
    answering({})
    const person = await contact()
    await write(person)
    await person.click(screen.getByRole("tab", { name: "Przewodnik" }))
    await person.click(screen.getByRole("tab", { name: "Kontakt" }))
    expect(message()).toHaveValue("Proszę o fakturę.")
    await person.keyboard("{Escape}")
    expect(screen.queryByRole("dialog")).toBeNull()
    await person.click(screen.getByRole("button", { name: "Pomoc" }))
    await person.click(screen.getByRole("tab", { name: "Kontakt" }))
    expect(subject()).toHaveValue("Faktura")
  })

  it("is refused beside the field that the server names", async () => {
    const fields = { subject: "Temat może mieć najwyżej 200 znaków" }
    answering({
      [call]: { status: 422, body: { error: "invalid_ticket", message: fields.subject, fields } },
    })
    const person = await contact()
    await write(person)
    await person.click(send())
    await waitFor(() => expect(subject()).toHaveAccessibleDescription(fields.subject))
    expect(subject()).toHaveFocus()
  })
})
