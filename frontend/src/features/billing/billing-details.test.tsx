import { screen, waitFor, within } from "@testing-library/react"
import { afterEach, describe, expect, it, vi } from "vitest"
import { clearToasts } from "~/lib/toasts"
import { billingDetails } from "~/testing/fixtures"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { BillingDetails } from "./billing-details"

const emptyDetails = { companyName: "", taxId: "", street: "", postalCode: "", city: "" }
const form = () => screen.getByRole("form", { name: "Dane rozliczeniowe" })
const save = () => screen.getByRole("button", { name: "Zapisz dane" })
const expectDescription = (label: string, text: string | RegExp) =>
  expect(screen.getByLabelText(label)).toHaveAccessibleDescription(text)

afterEach(clearToasts)

describe("billing details", () => {
  it("are read-only when complete, until the edit button is pressed", async () => {
    mockServer({})
    const { person } = renderScreen(
      <BillingDetails details={billingDetails} onDirtyChange={() => {}} />,
    )
    expect(screen.getByText("Acme sp. z o.o.")).toBeVisible()
    expect(screen.queryByRole("form")).toBeNull()
    await person.click(screen.getByRole("button", { name: "Edytuj dane" }))
    expect(screen.getByLabelText("Nazwa firmy")).toHaveFocus()
    await person.click(screen.getByRole("button", { name: "Anuluj" }))
    expect(screen.queryByRole("form")).toBeNull()
    expect(screen.getByRole("button", { name: "Edytuj dane" })).toHaveFocus()
  })

  it("show an error at each invalid field", async () => {
    const requests = mockServer({})
    const { person } = renderScreen(
      <BillingDetails details={emptyDetails} onDirtyChange={() => {}} />,
    )
    await person.click(save())
    await waitFor(() => expectDescription("Nazwa firmy", "Nazwa firmy jest wymagana"))
    expectDescription("NIP", "Nieprawidłowy format NIP")
    expectDescription("Ulica i numer", "Podaj ulicę i numer")
    expectDescription("Kod pocztowy", "Nieprawidłowy format kodu pocztowego")
    expectDescription("Miasto", "Miasto jest wymagane")
    expect(requests).toEqual([])
    expect(screen.queryByRole("button", { name: "Anuluj" })).toBeNull()
  })

  it.each([
    ["Ulica i numer", "Długa", "Podaj ulicę i numer"],
    ["Ulica i numer", "12 Prosta", "Podaj ulicę i numer"],
    ["Kod pocztowy", "0095", "Nieprawidłowy format kodu pocztowego"],
    ["NIP", "123456789", "Nieprawidłowy format NIP"],
    ["Miasto", "  ", "Miasto jest wymagane"],
  ])("reject in %s the text %j", async (label, text, sentence) => {
    mockServer({})
    const { person } = renderScreen(
      <BillingDetails details={emptyDetails} onDirtyChange={() => {}} />,
    )
    await person.type(screen.getByLabelText(label), text)
    await person.click(save())
    await waitFor(() => expectDescription(label, sentence))
  })

  it("hint at a wrong check digit, and can still be saved", async () => {
    const requests = mockServer({ "PUT /api/user/billing-details": { body: billingDetails } })
    const { person } = renderScreen(
      <BillingDetails details={emptyDetails} onDirtyChange={() => {}} />,
    )
    await person.type(screen.getByLabelText("Nazwa firmy"), "Acme")
    await person.click(screen.getByLabelText("NIP"))
    await person.paste("PL 123-456-78-90")
    expectDescription("NIP", /błędną cyfrę kontrolną/)
    await person.type(screen.getByLabelText("Ulica i numer"), "al. Jana Pawła II 12/3")
    await person.type(screen.getByLabelText("Kod pocztowy"), "00950")
    await person.type(screen.getByLabelText("Miasto"), "Łódź")
    await person.click(save())
    expect(await screen.findByText("Dane rozliczeniowe zaktualizowane!")).toBeVisible()
    expect(screen.getByText("Sukces!")).toBeVisible()
    expect(requests[0]?.body).toEqual({
      companyName: "Acme",
      taxId: "1234567890",
      street: "al. Jana Pawła II 12/3",
      postalCode: "00-950",
      city: "Łódź",
    })
  })

  it("show the server's error at its field", async () => {
    mockServer({
      "PUT /api/user/billing-details": {
        status: 422,
        body: {
          error: "invalid_billing_details",
          message: "Nieprawidłowy format NIP",
          fields: { taxId: "Nieprawidłowy format NIP" },
        },
      },
    })
    const { person } = renderScreen(
      <BillingDetails details={billingDetails} onDirtyChange={() => {}} />,
    )
    await person.click(screen.getByRole("button", { name: "Edytuj dane" }))
    await person.click(save())
    await waitFor(() => expectDescription("NIP", "Nieprawidłowy format NIP"))
    expect(screen.getByText("Błąd!")).toBeVisible()
    expect(within(form()).queryByRole("alert")).toBeNull()
  })

  it("report in the form, too, that saving failed", async () => {
    mockServer({ "PUT /api/user/billing-details": { status: 502, body: "<h1>Bad Gateway</h1>" } })
    const { person } = renderScreen(
      <BillingDetails details={billingDetails} onDirtyChange={() => {}} />,
    )
    await person.click(screen.getByRole("button", { name: "Edytuj dane" }))
    await person.click(save())
    expect(await within(form()).findByRole("alert")).toHaveTextContent(
      "Wystąpił błąd podczas aktualizacji danych!",
    )
  })

  it("report unsaved changes to the page", async () => {
    mockServer({ "PUT /api/user/billing-details": errorResponse(500, "server_error", "x") })
    const onDirtyChange = vi.fn()
    const { person } = renderScreen(
      <BillingDetails details={billingDetails} onDirtyChange={onDirtyChange} />,
    )
    await person.click(screen.getByRole("button", { name: "Edytuj dane" }))
    await person.type(screen.getByLabelText("Miasto"), " Praga")
    expect(onDirtyChange).toHaveBeenLastCalledWith(true)
    await person.click(screen.getByRole("button", { name: "Anuluj" }))
    expect(onDirtyChange).toHaveBeenLastCalledWith(false)
  })
})
