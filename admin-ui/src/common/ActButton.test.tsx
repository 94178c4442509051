import { fireEvent, render, screen } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import { AdminContext, RecordContextProvider, ResourceContextProvider } from "react-admin"
import { expect, test, vi } from "vitest"
import { authProvider } from "../authProvider.ts"
import { i18nProvider } from "../i18nProvider.ts"
import { Toast } from "../layout/Toast.tsx"
import { lightTheme } from "../theme.ts"
import { ActButton } from "./ActButton.tsx"

const company = { id: "42", name: "Acme" }

async function renderSuspend(act: () => Promise<unknown>) {
  await i18nProvider.changeLocale("pl")
  const dataProvider = { act: vi.fn(act) }
  render(
    <AdminContext
      authProvider={authProvider}
      dataProvider={dataProvider as never}
      i18nProvider={i18nProvider}
      theme={lightTheme}
    >
      <ResourceContextProvider value="companies">
        <RecordContextProvider value={company}>
          <ActButton act="suspend" icon={<span />} />
        </RecordContextProvider>
      </ResourceContextProvider>
      <Toast />
    </AdminContext>,
  )
  const user = userEvent.setup()
  await user.click(screen.getByRole("button", { name: /^Zawieś/ }))
  return { user, act: dataProvider.act }
}

const confirm = () => screen.getByRole("button", { name: "Zawieś firmę" })

test("an act without a reason is not sent", async () => {
  const { user, act } = await renderSuspend(async () => ({}))
  await user.click(confirm())
  expect(await screen.findByText("Pole wymagane")).toBeInTheDocument()
  expect(act).not.toHaveBeenCalled()
})

test("an act is sent with its reason, and said to be done", async () => {
  const { user, act } = await renderSuspend(async () => ({}))
  await user.type(screen.getByLabelText(/Powód/), "Brak wpłaty")
  await user.click(confirm())
  expect(act).toHaveBeenCalledWith("companies", "42", "suspend", { reason: "Brak wpłaty" })
  expect(await screen.findByText("Sukces")).toBeInTheDocument()
  expect(screen.getByText("Firma została zawieszona")).toBeInTheDocument()
})

test("a refusal stands in the dialog, which stays, and in a toast", async () => {
  const refusal = { status: 409, message: "x", body: { message: "Firma jest już zawieszona." } }
  const { user } = await renderSuspend(() => Promise.reject(refusal))
  await user.type(screen.getByLabelText(/Powód/), "Brak wpłaty")
  await user.click(confirm())
  expect(await screen.findByText("Błąd")).toBeInTheDocument()
  expect(screen.getAllByText("Firma jest już zawieszona.")).toHaveLength(2)
  expect(screen.getByLabelText(/Powód/)).toHaveValue("Brak wpłaty")
})

test("a double click sends an act once", async () => {
  const { user, act } = await renderSuspend(async () => ({}))
  await user.type(screen.getByLabelText(/Powód/), "Brak wpłaty")
  fireEvent.click(confirm())
  fireEvent.click(confirm())
  expect(await screen.findByText("Sukces")).toBeInTheDocument()
  expect(act).toHaveBeenCalledTimes(1)
})

test.each([
  ["auth_required", /^Sesja operatora wygasła/],
  ["auth_other_account", /^W tej przeglądarce zalogowano się na inne konto/],
])(
  "a session that ends (%s) leaves the dialog as it is, with the way to a new one",
  async (error, said) => {
    const ended = { status: 401, message: "x", body: { error } }
    const { user } = await renderSuspend(() => Promise.reject(ended))
    await user.type(screen.getByLabelText(/Powód/), "Brak wpłaty")
    await user.click(confirm())
    const login = await screen.findByRole("link", { name: "Zaloguj się" })
    expect(login).toHaveAttribute("target", "_blank")
    expect(screen.getAllByText(said)[0]).toBeVisible()
    expect(screen.queryByText("Sukces")).not.toBeInTheDocument()
    expect(screen.getByLabelText(/Powód/)).toHaveValue("Brak wpłaty")
  },
)
