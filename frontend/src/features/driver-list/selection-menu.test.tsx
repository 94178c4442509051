import { screen, waitFor } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, it, vi } from "vitest"
import { anna, driver, verified } from "~/testing/fixtures"
import { mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { SelectionMenu } from "./selection-menu"

const jan = driver("Jan", "Kowalski", verified(), { neededCategories: ["B", "C"] })
const ewa = driver("Ewa", "Nowak", verified(), { neededCategories: ["C"] })
const driverIds = [jan.id, ewa.id]
const path = "/api/drivers/needed-categories"

function renderMenu(drivers = [jan, ewa], canEdit = true) {
  return renderScreen(<SelectionMenu drivers={drivers} canEdit={canEdit} />, { user: anna })
}

it("gives chosen drivers other needed categories, beginning with those that all have", async () => {
  const requests = mockServer({ [`PUT ${path}`]: { body: { changed: 2 } } })
  const user = userEvent.setup()
  renderMenu()

  await user.click(screen.getByRole("button", { name: "Więcej" }))
  await user.click(await screen.findByRole("menuitem", { name: "Potrzebne kategorie" }))
  expect(await screen.findByRole("checkbox", { name: "C" })).toBeChecked()
  expect(screen.getByRole("checkbox", { name: "B" })).not.toBeChecked()
  await user.click(screen.getByRole("checkbox", { name: "D" }))
  await user.click(screen.getByRole("button", { name: "Aktualizuj" }))

  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
  const sent = requests.find(({ endpoint }) => endpoint === `PUT ${path}`)
  expect(sent?.body).toEqual({ driverIds, neededCategories: ["C", "D"] })
})

it.each([
  ["PDF: kto może dziś jechać", "/api/company/confirmation", { lang: "pl" }],
  ["Arkusz XLSX", "/api/drivers/export", { format: "xlsx" }],
  ["Plik CSV", "/api/drivers/export", { format: "csv" }],
])("downloads of chosen drivers: %s", async (name, url, rest) => {
  URL.createObjectURL = vi.fn(() => "blob:file")
  const requests = mockServer({ [`POST ${url}`]: { body: {} } })
  const user = userEvent.setup()
  renderMenu()

  await user.click(screen.getByRole("button", { name: "Więcej" }))
  await user.click(await screen.findByRole("menuitem", { name }))

  await waitFor(() => expect(requests[0]?.body).toEqual({ driverIds, ...rest }))
})

it("offers neither what needs a plan nor a file of too many drivers", async () => {
  mockServer({})
  renderMenu(Array<typeof jan>(501).fill(jan), false)
  expect(screen.queryByRole("button")).toBeNull()
})
