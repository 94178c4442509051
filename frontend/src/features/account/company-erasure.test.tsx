import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { anna } from "~/testing/fixtures"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { CompanyErasure } from "./company-erasure"

const off = { enabled: false, enabledAt: null, recoveryCodesLeft: 0, required: false }
const on = { ...off, enabled: true, enabledAt: "2026-11-01T08:00:00Z", recoveryCodesLeft: 10 }

async function openDialog(answers: Parameters<typeof mockServer>[0]) {
  const requests = mockServer(answers)
  const { person } = renderScreen(<CompanyErasure />, { user: anna })
  await person.click(screen.getByRole("button", { name: "Usuń konto firmy" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Usunąć konto firmy?" }))
  const confirm = await dialog.findByRole("button", { name: "Usuń konto firmy na zawsze" })
  return { person, dialog, confirm, requests }
}

describe("the erasure of the company", () => {
  it("says what is lost, and asks for the password and a tick", async () => {
    const { person, dialog, confirm, requests } = await openDialog({
      "GET /api/user/second-factor": { body: off },
    })
    expect(dialog.getByText("kierowcy i cała historia weryfikacji")).toBeVisible()
    expect(dialog.queryByLabelText(/^Kod/)).toBeNull()
    await person.click(confirm)

    expect(await dialog.findByText("Zaznacz to, aby usunąć konto")).toBeVisible()
    expect(requests.some(({ endpoint }) => endpoint === "DELETE /api/company")).toBe(false)
  })

  it("takes a code where two-step verification is on, and shows a refusal at its field", async () => {
    const fields = { code: "Kod jest nieprawidłowy" }
    const refusal = { error: "invalid_second_factor", message: fields.code, fields }
    const { person, dialog, confirm, requests } = await openDialog({
      "GET /api/user/second-factor": { body: on },
      "DELETE /api/company": { status: 400, body: refusal },
    })
    await person.type(dialog.getByLabelText("Obecne hasło"), "Sezamie0twórz")
    await person.type(dialog.getByLabelText(/^Kod/), "123456")
    await person.click(dialog.getByRole("checkbox"))
    await person.click(confirm)

    await waitFor(() =>
      expect(requests).toContainEqual(
        expect.objectContaining({
          endpoint: "DELETE /api/company",
          body: { password: "Sezamie0twórz", code: "123456" },
        }),
      ),
    )
    expect(await dialog.findByText(fields.code)).toBeVisible()
  })

  it("shows that only the owner may", async () => {
    const { person, dialog, confirm } = await openDialog({
      "GET /api/user/second-factor": { body: off },
      "DELETE /api/company": errorResponse(
        403,
        "role_forbidden",
        "Może to zrobić tylko właściciel",
      ),
    })
    await person.type(dialog.getByLabelText("Obecne hasło"), "Sezamie0twórz")
    await person.click(dialog.getByRole("checkbox"))
    await person.click(confirm)
    expect(await dialog.findByText("Nie udało się usunąć konta firmy")).toBeVisible()
  })
})
