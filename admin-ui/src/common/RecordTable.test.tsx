import { render, screen, within } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import { AdminContext, ResourceContextProvider, useListContext } from "react-admin"
import { beforeEach, expect, test, vi } from "vitest"
import { i18nProvider } from "../i18nProvider.ts"
import { lightTheme } from "../theme.ts"
import { LocalList } from "./LocalList.tsx"
import { RecordTable } from "./RecordTable.tsx"

const rows = [
  { id: 1, email: "anna@acme.test", driverLimit: 10 },
  { id: 2, email: "celina@rival.test", driverLimit: 5 },
  { id: 3, email: "bartek@acme.test", driverLimit: 20 },
]
const byEmail = { field: "email", order: "ASC" } as const

function Selected() {
  const { selectedIds } = useListContext()
  return <button type="button">{`Usuń ${selectedIds.join(",")}`}</button>
}

beforeEach(async () => {
  await i18nProvider.changeLocale("pl")
  const isSmall = (query: string) => ({ matches: /max-width:899/.test(query.replaceAll(" ", "")) })
  vi.stubGlobal("matchMedia", (query: string) => ({
    ...isSmall(query),
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
})

function renderCards(isSelectable = true) {
  render(
    <AdminContext i18nProvider={i18nProvider} theme={lightTheme}>
      <ResourceContextProvider value="users">
        <LocalList resource="users" rows={rows} sort={byEmail}>
          <RecordTable bulkActionButtons={isSelectable && <Selected />}>
            <RecordTable.Col source="email" sortable />
            <RecordTable.Col source="driverLimit" sortable />
            <RecordTable.Col source="status" />
          </RecordTable>
        </LocalList>
      </ResourceContextProvider>
    </AdminContext>,
  )
  return userEvent.setup()
}

const cards = () => screen.getAllByRole("listitem").map((card) => card.textContent)

test("cards are sorted by the columns that can be, in both directions", async () => {
  const user = renderCards()
  const sort = screen.getByLabelText("Sortuj")
  const names = within(sort)
    .getAllByRole("option")
    .map((option) => option.textContent)
  expect(names).toEqual(["E-mail", "Limit kierowców"])
  expect(cards()[0]).toContain("anna@")
  await user.selectOptions(sort, "Limit kierowców")
  expect(cards()[0]).toContain("celina@")
  await user.click(screen.getByRole("button", { name: "Rosnąco. Odwróć kolejność" }))
  expect(cards()[0]).toContain("bartek@")
})

test("cards are selected one by one or all, and what can be done with them appears", async () => {
  const user = renderCards()
  expect(screen.queryByText(/^Usuń/)).not.toBeInTheDocument()
  await user.click(screen.getByRole("checkbox", { name: "Zaznacz: #2" }))
  expect(screen.getByText("Zaznaczono 1")).toBeInTheDocument()
  expect(screen.getByText("Usuń 2")).toBeInTheDocument()
  await user.click(screen.getByRole("checkbox", { name: "Cała strona" }))
  expect(screen.getByText("Zaznaczono 3")).toBeInTheDocument()
  await user.click(screen.getByRole("checkbox", { name: "Cała strona" }))
  expect(screen.queryByText(/^Zaznaczono/)).not.toBeInTheDocument()
})

test("without bulk actions nothing can be selected", () => {
  renderCards(false)
  expect(screen.queryByRole("checkbox")).not.toBeInTheDocument()
})
