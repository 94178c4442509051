import { render, screen } from "@testing-library/react"
import type { ComponentType } from "react"
import { createMemoryRouter, RouterProvider, useLoaderData } from "react-router"
import { describe, expect, it } from "vitest"
import type { UserOut } from "~/api/types.gen"
import Terms from "~/features/legal/terms"
import Login from "~/features/sign-in/login"
import { activeSubscription, anna } from "~/testing/fixtures"
import { errorResponse, mockServer } from "~/testing/mock-server"
import CatchAll from "./catch-all"
import Home from "./home"
import PanelLayout from "./panel-layout"
import SessionLayout, { clientLoader, ErrorBoundary } from "./session-layout"
import VisitorLayout from "./visitor-layout"

const Session = SessionLayout as unknown as ComponentType<{ loaderData: unknown }>

function WithSession() {
  return <Session loaderData={useLoaderData()} />
}

const noSession = errorResponse(401, "auth_required", "x")

function renderApp(path: string, user: UserOut | null, userResponse = noSession) {
  mockServer({
    "GET /api/user": user ? { body: user } : userResponse,
    "GET /api/notifications": { body: [] },
    "GET /api/drivers": { body: [] },
    "GET /api/subscription": { body: activeSubscription },
    "GET /api/checks/summary": {
      body: { oldestVerifiedAt: null, staleCount: 0, checkingStopped: false },
    },
  })
  const router = createMemoryRouter(
    [
      {
        element: <WithSession />,
        loader: () => clientLoader(),
        shouldRevalidate: () => true,
        errorElement: <ErrorBoundary />,
        hydrateFallbackElement: <p />,
        children: [
          { path: "/", element: <Home /> },
          { path: "/en", element: <Home /> },
          { path: "/terms", element: <Terms /> },
          {
            element: <VisitorLayout />,
            children: [{ path: "/auth/login", element: <Login /> }],
          },
          {
            element: <PanelLayout />,
            children: [{ path: "/panel/drivers", element: <h1>kierowcy</h1> }],
          },
          { path: "*", element: <CatchAll /> },
        ],
      },
    ],
    { initialEntries: [path] },
  )
  render(<RouterProvider router={router} />)
  return router
}

const heading = (name: string | RegExp) => screen.findByRole("heading", { level: 1, name })

describe("a visitor", () => {
  it("sees the English landing page at /en", async () => {
    renderApp("/en", null)
    expect(await heading("A daily check of your drivers' licences")).toBeVisible()
    expect(document.documentElement.lang).toBe("en")
  })

  it("is offered the login on a legal page", async () => {
    renderApp("/terms", null)
    expect(await screen.findByRole("link", { name: "Zaloguj się" })).toBeVisible()
  })

  it.each(["/admin", "/admin/users"])("is sent from %s to the login", async (path) => {
    const router = renderApp(path, null)
    expect(await heading("Logowanie")).toBeVisible()
    expect(router.state.location.pathname).toBe("/auth/login")
  })
})

describe("a user with a verified e-mail", () => {
  it("is shown the way to the panel on a legal page", async () => {
    renderApp("/terms", anna)
    expect(await screen.findByRole("link", { name: "Przejdź do panelu" })).toHaveAttribute(
      "href",
      "/panel",
    )
    expect(screen.queryByRole("link", { name: "Zaloguj się" })).toBeNull()
  })

  it("is sent from /admin to the login, which is a 404 page", async () => {
    const router = renderApp("/admin", anna)
    expect(await heading("404 Page Not Found")).toBeVisible()
    expect(router.state.location.pathname).toBe("/auth/login")
  })
})

describe("without an answer to GET /api/user", () => {
  it("an error is shown, because it is unknown whether a user is signed in", async () => {
    renderApp("/", null, { status: 502, body: "<html>" })
    expect(await heading("Nie udało się wczytać strony")).toBeVisible()
  })
})

describe("a session that ends while the panel is open", () => {
  it("opens the login, which reports the expired session", async () => {
    const router = renderApp("/panel/drivers", anna)
    await heading("kierowcy")
    mockServer({
      "GET /api/user": errorResponse(401, "auth_required", "x"),
      "GET /api/notifications": errorResponse(401, "auth_required", "x"),
    })
    const { queryClient } = await import("~/lib/query-client")
    await queryClient.refetchQueries()
    expect(await heading("Logowanie")).toBeVisible()
    expect(screen.getByText("Twoja sesja wygasła. Zaloguj się ponownie.")).toBeVisible()
    expect(router.state.location.pathname).toBe("/auth/login")
  })
})
