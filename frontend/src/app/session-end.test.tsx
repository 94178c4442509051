import { fireEvent, render, screen, waitFor, within } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import type { ComponentType } from "react"
import { createMemoryRouter, RouterProvider, useLoaderData } from "react-router"
import { describe, expect, it, vi } from "vitest"
import { getUser, listDrivers } from "~/api/sdk.gen"
import type { UserOut } from "~/api/types.gen"
import Login from "~/features/sign-in/login"
import { browserLocation } from "~/hooks/use-external-redirect"
import Driver from "~/routes/driver"
import DriverList from "~/routes/driver-list"
import { activeSubscription, anna } from "~/testing/fixtures"
import { errorResponse, mockServer } from "~/testing/mock-server"
import PanelLayout from "./panel-layout"
import SessionLayout, { clientLoader } from "./session-layout"
import VisitorLayout from "./visitor-layout"

const Session = SessionLayout as unknown as ComponentType<{ loaderData: unknown }>
const bartek = { ...anna, email: "bartek@acme.test" }
const jan = {
  id: "00000000-0000-7000-8000-0000000000d1",
  firstName: "Jan",
  lastName: "Lis",
  licenseNumber: "AB123456",
  status: "valid",
  mayDrive: "yes",
  neededCategories: [],
  overLimit: false,
  staleSince: null,
  episode: null,
  createdAt: "2026-11-01T08:00:00Z",
  verifications: [],
}

const unknownId = "00000000-0000-7000-8000-0000000000ff"

function WithSession() {
  return <Session loaderData={useLoaderData()} />
}

function serverAnswers(user: UserOut | null, refusal = "auth_required") {
  const ended = errorResponse(401, refusal, "x")
  mockServer({
    "GET /api/user": user ? { body: user } : ended,
    "POST /api/login": { body: { ok: true, emailVerified: true } },
    "POST /api/drivers": user ? { body: jan } : ended,
    "GET /api/notifications": user ? { body: [] } : ended,
    "GET /api/drivers": user ? { body: [jan] } : ended,
    [`GET /api/drivers/${jan.id}`]: user ? { body: jan } : ended,
    [`GET /api/drivers/${jan.id}/changes`]: { body: [] },
    [`GET /api/drivers/${jan.id}/days`]: { body: [] },
    [`GET /api/drivers/${jan.id}/notices`]: { body: [] },
    [`GET /api/drivers/${unknownId}`]: errorResponse(404, "not_found", "Nie znaleziono."),
    "GET /api/subscription": user ? { body: activeSubscription } : ended,
    "GET /api/checks/summary": {
      body: { oldestVerifiedAt: null, staleCount: 0, checkingStopped: false },
    },
  })
}

function renderApp(path: string) {
  const router = createMemoryRouter(
    [
      {
        element: <WithSession />,
        loader: () => clientLoader(),
        shouldRevalidate: () => true,
        hydrateFallbackElement: <p />,
        children: [
          { element: <VisitorLayout />, children: [{ path: "/auth/login", element: <Login /> }] },
          {
            element: <PanelLayout />,
            children: [
              {
                path: "/panel/drivers",
                element: <DriverList />,
                children: [{ path: ":driverId", element: <Driver /> }],
              },
            ],
          },
        ],
      },
    ],
    { initialEntries: [path] },
  )
  render(<RouterProvider router={router} />)
  return { router, person: userEvent.setup() }
}

type Person = ReturnType<typeof renderApp>["person"]

async function signIn(person: Person, user: UserOut) {
  serverAnswers(user)
  await person.type(screen.getByLabelText("E-mail"), user.email)
  await person.type(screen.getByLabelText("Hasło"), "Gwizdek7{Enter}")
}

async function typeDriver(person: Person, refusal?: string) {
  await person.click(await screen.findByRole("button", { name: "Dodaj kierowcę" }))
  const form = within(screen.getByRole("form", { name: "Dodaj nowego kierowcę" }))
  await person.type(form.getByLabelText("Imię"), "Ewa")
  await person.type(form.getByLabelText("Nazwisko"), "Żak")
  await person.type(form.getByLabelText("Numer prawa jazdy"), "CD654321")
  serverAnswers(null, refusal)
  await person.click(form.getByRole("button", { name: "Zapisz" }))
  const expired = "Twoja sesja wygasła. Zaloguj się ponownie."
  expect(
    await screen.findByText(refusal ? /^W tej przeglądarce zalogowano/ : expired),
  ).toBeVisible()
}

describe("a session that ends while a form is filled in", () => {
  it("returns to the screen and to what was typed", async () => {
    serverAnswers(anna)
    const { router, person } = renderApp("/panel/drivers?q=Lis")
    await typeDriver(person)
    await signIn(person, anna)
    const form = within(await screen.findByRole("form", { name: "Dodaj nowego kierowcę" }))
    expect(form.getByLabelText("Imię")).toHaveValue("Ewa")
    expect(form.getByLabelText("Numer prawa jazdy")).toHaveValue("CD654321")
    const { pathname, search } = router.state.location
    expect(pathname + search).toBe("/panel/drivers?q=Lis")
  })

  it("says that another tab has signed in to another account, and keeps what was typed", async () => {
    serverAnswers(anna)
    const { person } = renderApp("/panel/drivers")
    await typeDriver(person, "auth_other_account")
    expect(screen.queryByText(/Twoja sesja wygasła/)).toBeNull()
    await signIn(person, anna)
    const form = within(await screen.findByRole("form", { name: "Dodaj nowego kierowcę" }))
    expect(form.getByLabelText("Imię")).toHaveValue("Ewa")
  })

  it("shows nothing of it to another user", async () => {
    serverAnswers(anna)
    const { person } = renderApp("/panel/drivers")
    await typeDriver(person)
    await signIn(person, bartek)
    await person.click(await screen.findByRole("button", { name: "Dodaj kierowcę" }))
    const form = within(screen.getByRole("form", { name: "Dodaj nowego kierowcę" }))
    expect(form.getByLabelText("Imię")).toHaveValue("")
  })
})

describe("a session that ends elsewhere", () => {
  it.each([
    ["in another tab", () => new BroadcastChannel("session").postMessage(null)],
    [
      "while the browser keeps the page",
      () => fireEvent(window, new PageTransitionEvent("pageshow", { persisted: true })),
    ],
  ])("leaves nothing of the account on the screen: %s", async (_, end) => {
    serverAnswers(anna)
    renderApp("/panel/drivers")
    expect(await screen.findByText(/AB123456/)).toBeVisible()
    serverAnswers(null)
    end()
    expect(await screen.findByText("Twoja sesja wygasła. Zaloguj się ponownie.")).toBeVisible()
    expect(screen.queryByText(/AB123456/)).toBeNull()
  })
})

it("names its account in every request but for the user, so that another's is refused", async () => {
  serverAnswers({ ...anna, email: "żaneta@acme.test" })
  const { person } = renderApp("/panel/drivers")
  expect(await screen.findByText(/AB123456/)).toBeVisible()
  const set = vi.spyOn(Headers.prototype, "set")
  const account = ["Prawko-Account", expect.anything()]
  await getUser()
  expect(set).not.toHaveBeenCalledWith(...account)
  await typeDriver(person)
  expect(set).toHaveBeenCalledWith("Prawko-Account", "%C5%BCaneta%40acme.test")
  set.mockClear()
  await listDrivers()
  expect(set).not.toHaveBeenCalledWith(...account)
})

it("shows nothing of the account while it is unknown whose session another tab has begun", async () => {
  const assign = vi.spyOn(browserLocation, "assign").mockReturnValue()
  serverAnswers(anna)
  renderApp("/panel/drivers")
  expect(await screen.findByText(/AB123456/)).toBeVisible()
  mockServer({ "GET /api/user": errorResponse(503, "unavailable", "x") })
  new BroadcastChannel("session").postMessage(null)
  await waitFor(() => expect(assign).toHaveBeenCalledWith("/panel"))
})

it("keeps a page hidden that the browser kept of another user's session", async () => {
  const assign = vi.spyOn(browserLocation, "assign").mockReturnValue()
  serverAnswers(anna)
  renderApp("/panel/drivers")
  expect(await screen.findByText(/AB123456/)).toBeVisible()
  serverAnswers(bartek)
  fireEvent(window, new PageTransitionEvent("pageshow", { persisted: true }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith("/panel"))
  await Promise.resolve()
  expect(document.body.hidden).toBe(true)
  document.body.hidden = false
})

describe("the link of a mail", () => {
  const link = `/auth/login?next=${encodeURIComponent(`/panel/drivers/${jan.id}`)}`
  const page = () => screen.findByRole("dialog", { name: "Jan Lis" })

  it("names to a visitor what waits, and opens it after the sign-in", async () => {
    serverAnswers(null)
    const { person } = renderApp(link)
    expect(await screen.findByText("Zaloguj się, aby zobaczyć kierowcę.")).toBeVisible()
    await signIn(person, anna)
    expect(await page()).toBeVisible()
  })

  it("opens it at once for who is signed in", async () => {
    serverAnswers(anna)
    const { router, person } = renderApp(link)
    expect(await page()).toBeVisible()
    await person.keyboard("{Escape}")
    await waitFor(() => expect(router.state.location.pathname).toBe("/panel/drivers"))
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
  })

  it("says so when the driver was removed", async () => {
    serverAnswers(anna)
    const { router, person } = renderApp(`/panel/drivers/${unknownId}`)
    expect(await screen.findByRole("dialog", { name: "404 Page Not Found" })).toBeVisible()
    await person.click(screen.getByRole("link", { name: "Wróć do listy kierowców" }))
    await waitFor(() => expect(router.state.location.pathname).toBe("/panel/drivers"))
  })

  it("opens the driver also at the address that mails had before", async () => {
    serverAnswers(anna)
    const { router } = renderApp(`/panel/drivers?driver=${jan.id}`)
    expect(await page()).toBeVisible()
    expect(router.state.location.pathname).toBe(`/panel/drivers/${jan.id}`)
  })
})
