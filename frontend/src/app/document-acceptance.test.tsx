import { render, screen, waitFor, within } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import type { ComponentType } from "react"
import { createMemoryRouter, RouterProvider, useLoaderData } from "react-router"
import { describe, expect, it } from "vitest"
import type { PendingDocument, UserOut } from "~/api/types.gen"
import { anna } from "~/testing/fixtures"
import { errorResponse, type MockResponses, mockServer } from "~/testing/mock-server"
import SessionLayout, { clientLoader } from "./session-layout"

const pending: PendingDocument[] = [
  { document: "terms", version: "2027-03-01" },
  { document: "data_processing", version: "2027-02-01" },
]
const accept = "POST /api/user/legal-acceptances"
const Session = SessionLayout as unknown as ComponentType<{ loaderData: unknown }>

function WithSession() {
  return <Session loaderData={useLoaderData()} />
}

function renderAt(path: string, user: UserOut, responses: MockResponses = {}) {
  const requests = mockServer({ "GET /api/user": { body: user }, ...responses })
  const router = createMemoryRouter(
    [
      {
        element: <WithSession />,
        loader: () => clientLoader(),
        shouldRevalidate: () => true,
        hydrateFallbackElement: <p />,
        children: [{ path: "*", element: <h1>ekran</h1> }],
      },
    ],
    { initialEntries: [path] },
  )
  render(<RouterProvider router={router} />)
  return { requests, router, person: userEvent.setup() }
}

const waiting = { ...anna, pendingDocuments: pending }
const heading = (name: string) => screen.findByRole("heading", { level: 1, name })
const button = () => screen.getByRole("button", { name: "Akceptuję" })

describe("a user for whom documents wait", () => {
  it.each(["/panel", "/panel/drivers", "/auth/login", "/no/such/path", "/termsheet"])(
    "is asked to accept them at %s",
    async (path) => {
      renderAt(path, waiting)
      expect(await heading("Zmieniliśmy dokumenty")).toBeVisible()
      expect(screen.queryByText("ekran")).toBeNull()
    },
  )

  it.each(["/terms", "/privacy", "/terms/"])("can read them at %s", async (path) => {
    renderAt(path, waiting)
    expect(await heading("ekran")).toBeVisible()
  })

  it("verifies the e-mail address first", async () => {
    renderAt("/panel", { ...waiting, emailVerified: false })
    expect(await heading("Potwierdź adres e-mail")).toBeVisible()
  })

  it("sees the changed documents only, each with its version, in a new tab", async () => {
    renderAt("/panel", waiting)
    const list = within(await screen.findByRole("list", { name: "Dokumenty do zaakceptowania" }))
    const links = list.getAllByRole("link")
    expect(links.map((link) => [link.getAttribute("href"), link.getAttribute("target")])).toEqual([
      ["/terms", "_blank"],
      ["/api/legal/data-processing-agreement?lang=pl", "_blank"],
    ])
    expect(links[0]).toHaveTextContent("Regulamin")
    expect(list.getByText("wersja z dnia 01.03.2027")).toBeVisible()
    expect(list.getByText("wersja z dnia 01.02.2027")).toBeVisible()
    expect(list.queryByText("Polityka Prywatności")).toBeNull()
  })

  it("accepts what was shown and continues to the screen that was asked for", async () => {
    let user: UserOut = waiting
    const { requests, person } = renderAt("/panel/drivers", waiting, {
      "GET /api/user": () => ({ body: user }),
      [accept]: () => {
        user = anna
        return { body: { pendingDocuments: [] } }
      },
    })
    await heading("Zmieniliśmy dokumenty")
    await person.click(button())
    expect(await heading("ekran")).toBeVisible()
    const [sent] = requests.filter(({ endpoint }) => endpoint === accept)
    expect(sent?.body).toEqual({ documents: pending })
  })

  it("stays and reads the reason when the documents have changed again", async () => {
    const { person } = renderAt("/panel", waiting, {
      [accept]: errorResponse(409, "legal_documents_outdated", "Dokumenty zmieniły się."),
    })
    await heading("Zmieniliśmy dokumenty")
    await person.click(button())
    expect(await screen.findByRole("alert")).toHaveTextContent("Dokumenty zmieniły się.")
    expect(button()).toBeVisible()
  })

  it("may log out instead", async () => {
    const { requests, person, router } = renderAt("/panel", waiting, {
      "POST /api/logout": { body: { ok: true } },
    })
    await heading("Zmieniliśmy dokumenty")
    await person.click(screen.getByRole("button", { name: "Wyloguj się" }))
    await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
    expect(requests.map(({ endpoint }) => endpoint)).toContain("POST /api/logout")
    expect(requests.map(({ endpoint }) => endpoint)).not.toContain(accept)
  })
})

it("a user for whom nothing waits is asked nothing", async () => {
  renderAt("/panel", anna)
  expect(await heading("ekran")).toBeVisible()
})
