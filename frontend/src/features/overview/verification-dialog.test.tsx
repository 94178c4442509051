import { screen, within } from "@testing-library/react"
import { describe, expect, it, vi } from "vitest"
import type { DriverOut, VerificationOut } from "~/api/types.gen"
import { driver, verified } from "~/testing/fixtures"
import { mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { VerificationDialog } from "./verification-dialog"

/** The dialog of a driver whose day is 22 November 2026 at noon in Warsaw. */
async function openDetails(found: Partial<VerificationOut>, changes: Partial<DriverOut> = {}) {
  vi.setSystemTime(Date.parse("2026-11-22T12:00:00+01:00"))
  mockServer({})
  renderScreen(
    <VerificationDialog
      driver={driver("Jan", "Nowak", verified(found), changes)}
      onClose={vi.fn()}
    />,
  )
  const dialog = await screen.findByRole("dialog", { name: "Szczegóły weryfikacji" })
  return (label: string) => {
    const term = within(dialog).getByText(label)
    return within(term.parentElement as HTMLElement)
  }
}

describe("the details of a verification", () => {
  it("mark an expired document and an expired category at their dates", async () => {
    const fact = await openDetails({
      expiryDate: "2026-11-21",
      categories: [
        { kategoria: "B", dataWaznosci: null },
        { kategoria: "C", dataWaznosci: "2026-10-31" },
        { kategoria: "D", dataWaznosci: "2026-11-22" },
        { kategoria: "T", dataWaznosci: "2034-01-01" },
      ],
    })
    expect(fact("Data ważności").getByText("21.11.2026")).toBeVisible()
    expect(fact("Data ważności").getByText("po terminie")).toBeVisible()
    const [b, c, d, t] = fact("Kategorie").getAllByRole("listitem")
    expect(b).toHaveTextContent("B Brak daty ważności")
    expect(c).toHaveTextContent("C po terminie Ważne do: 31.10.2026")
    expect(d).toHaveTextContent("D wygasa wkrótce Ważne do: 22.11.2026")
    expect(t).toHaveTextContent(/^T Ważne do: 0?1.01.2034$/)
  })

  it("do not mark a document on its last day as expired", async () => {
    const fact = await openDetails({ expiryDate: "2026-11-22" })
    expect(fact("Data ważności").queryByText("po terminie")).toBeNull()
  })

  it("say of a withheld document that its date entitles to nothing", async () => {
    const fact = await openDetails({
      status: "invalid",
      documentStatus: "Zatrzymany",
      expiryDate: "2033-05-21",
    })
    expect(fact("Data ważności").getByText("21.05.2033")).toHaveClass("text-ink-soft")
    expect(fact("Data ważności").getByText("nie uprawnia do jazdy")).toBeVisible()
  })

  it("say nothing beside the date of an issued one, and explain its state", async () => {
    const fact = await openDetails({ documentStatus: "Wydany", expiryDate: "2033-05-21" })
    expect(fact("Data ważności").queryByText("nie uprawnia do jazdy")).toBeNull()
    expect(fact("Data ważności").getByText("21.05.2033")).not.toHaveClass("text-ink-soft")
    expect(screen.getByTitle("dokument wydany")).toHaveTextContent("Wydany")
  })

  it("name the needed categories, and why one of them is missing", async () => {
    const fact = await openDetails(
      { categories: [{ kategoria: "C", dataWaznosci: "2026-11-12" }] },
      { neededCategories: ["C", "C+E"] },
    )
    expect(fact("Potrzebne kategorie").getByText("C, C+E")).toBeVisible()
    expect(fact("Potrzebne kategorie").getByText("Kategoria C wygasła 12.11.2026")).toBeVisible()
    expect(fact("Potrzebne kategorie").getByText("Brak kategorii C+E")).toBeVisible()
  })
})
