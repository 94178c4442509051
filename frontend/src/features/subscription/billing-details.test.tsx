import { screen, waitFor, within } from "@testing-library/react"
import { afterEach, describe, expect, it, vi } from "vitest"
import { answering, refused } from "~/testing/answers"
import { details } from "~/testing/people"
import { show } from "~/testing/screen"
import { clearToasts } from "~/ui/toasts"
import { BillingDetails } from "./billing-details"

const nothing = { companyName: "", taxId: "", street: "", postalCode: "", city: "" }
const form = () => screen.getByRole("form", { name: "Dane rozliczeniowe" })
const save = () => screen.getByRole("button", { name: "Zapisz dane" })
const described = (label: string, text: string | RegExp) =>
  expect(screen.getByLabelText(label)).toHaveAccessibleDescription(text)

afterEach(clearToasts)

describe("billing details", () => {
  it("are read-only when complete, until the button opens them", async () => {
    answering({})
    const { person } = show(<BillingDetails details={details} onUnsaved={() => {}} />)
    expect(screen.getByText("Acme sp. z o.o.")).toBeVisible()
    expect(screen.queryByRole("form")).toBeNull()
    await person.click(screen.getByRole("button", { name: "Edytuj dane" }))
    expect(screen.getByLabelText("Nazwa firmy")).toHaveFocus()
    await person.click(screen.getByRole("button", { name: "Anuluj" }))
    expect(screen.queryByRole("form")).toBeNull()
    expect(screen.getByRole("button", { name: "Edytuj dane" })).toHaveFocus()
  })

  it("say of each field what is wrong with it", async () => {
    const asked = answering({})
    const { person } = show(<BillingDetails details={nothing} onUnsaved={() => {}} />)
    await person.click(save())
    await waitFor(() => described("Nazwa firmy", "Nazwa firmy jest wymagana"))
    described("NIP", "Nieprawidłowy format NIP")
    described("Ulica i numer", "Podaj ulicę i numer")
    described("Kod pocztowy", "Nieprawidłowy format kodu pocztowego")
    described("Miasto", "Miasto jest wymagane")
    expect(asked).toEqual([])
    expect(screen.queryByRole("button", { name: "Anuluj" })).toBeNull()
  })

  it.each([
    ["Ulica i numer", "Długa", "Podaj ulicę i numer"],
    ["Ulica i numer", "12 Prosta", "Podaj ulicę i numer"],
    ["Kod pocztowy", "0095", "Nieprawidłowy format kodu pocztowego"],
    ["NIP", "123456789", "Nieprawidłowy format NIP"],
    ["Miasto", "  ", "Miasto jest wymagane"],
  ])("refuse in %s the text %j", async (label, text, sentence) => {
    answering({})
    const { person } = show(<BillingDetails details={nothing} onUnsaved={() => {}} />)
    await person.type(screen.getByLabelText(label), text)
    await person.click(save())
    await waitFor(() => described(label, sentence))
  })

  it("hint at a wrong check digit beside the number, and are saved all the same", async () => {
    const asked = answering({ "PUT /api/user/billing-details": { body: details } })
    const { person } = show(<BillingDetails details={nothing} onUnsaved={() => {}} />)
    await person.type(screen.getByLabelText("Nazwa firmy"), "Acme")
    await person.click(screen.getByLabelText("NIP"))
    await person.paste("PL 123-456-78-90")
    described("NIP", /błędną cyfrę kontrolną/)
    await person.type(screen.getByLabelText("Ulica i numer"), "al. Jana Pawła II 12/3")
    await person.type(screen.getByLabelText("Kod pocztowy"), "00950")
    await person.type(screen.getByLabelText("Miasto"), "Łódź")
    await person.click(save())
    expect(await screen.findByText("Dane rozliczeniowe zaktualizowane!")).toBeVisible()
    expect(screen.getByText("Sukces!")).toBeVisible()
    expect(asked[0]?.body).toEqual({
      companyName: "Acme",
      taxId: "1234567890",
      street: "al. Jana Pawła II 12/3",
      postalCode: "00-950",
      city: "Łódź",
    })
  })

  it("put the server's word beside its field", async () => {
    answering({
      "PUT /api/user/billing-details": {
        status: 422,
        body: {
          error: "invalid_billing_details",
          message: "Nieprawidłowy format NIP",
          fields: { taxId: "Nieprawidłowy format NIP" },
        },
      },
    })
    const { person } = show(<BillingDetails details={details} onUnsaved={() => {}} />)
    await person.click(screen.getByRole("button", { name: "Edytuj dane" }))
    await person.click(save())
    await waitFor(() => described("NIP", "Nieprawidłowy format NIP"))
    expect(screen.getByText("Błąd!")).toBeVisible()
    expect(within(form()).queryByRole("alert")).toBeNull()
  })

  it("say in the form, too, that saving failed", async () => {
    answering({ "PUT /api/user/billing-details": { status: 502, body: "<h1>Bad Gateway</h1>" } })
    const { person } = show(<BillingDetails details={details} onUnsaved={() => {}} />)
    await person.click(screen.getByRole("button", { name: "Edytuj dane" }))
    await person.click(save())
    expect(await within(form()).findByRole("alert")).toHaveTextContent(
      "Wystąpił błąd podczas aktualizacji danych!",
    )
  })

  it("tell the page of changes that are not saved", async () => {
    answering({ "PUT /api/user/billing-details": refused(500, "server_error", "x") })
    const told = vi.fn()
    const { person } = show(<BillingDetails details={details} onUnsaved={told} />)
    await person.click(screen.getByRole("button", { name: "Edytuj dane" }))
    await person.type(screen.getByLabelText("Miasto"), " Praga")
    expect(told).toHaveBeenLastCalledWith(true)
    await person.click(screen.getByRole("button", { name: "Anuluj" }))
    expect(told).toHaveBeenLastCalledWith(false)
  })
})
