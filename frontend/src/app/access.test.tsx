import { render, screen } from "@testing-library/react"
import type { ComponentType } from "react"
import { createMemoryRouter, RouterProvider, useLoaderData } from "react-router"
import { describe, expect, it } from "vitest"
import type { UserOut } from "~/api/types.gen"
import AnythingElse from "~/routes/anything-else"
import Home from "~/routes/home"
import Login from "~/routes/login"
import { answering, refused } from "~/testing/answers"
import { active, anna } from "~/testing/people"
import PanelLayout from "./panel-layout"
import SessionLayout, { clientLoader } from "./session-layout"
import VisitorLayout from "./visitor-layout"

const Session = SessionLayout as unknown as ComponentType<{ loaderData: unknown }>

function WithSession() {
  return <Session loaderData={useLoaderData()} />
}

function open(path: string, user: UserOut | null) {
  answering({
    "GET /api/user": user ? { body: user } : refused(401, "auth_required", "x"),
    "GET /api/notifications": { body: [] },
    "GET /api/drivers": { body: [] },
    "GET /api/subscription": { body: active },
    "GET /api/checks/summary": {
      body: { oldestVerifiedAt: null, staleCount: 0, checkingStopped: false },
    },
  })
  const router = createMemoryRouter(
    [
      { path: "/", element: <Home /> },
      {
        element: <WithSession />,
        loader: () => clientLoader(),
        shouldRevalidate: () => true,
        hydrateFallbackElement: <p />,
        children: [
          {
            element: <VisitorLayout />,
            children: [{ path: "/auth/login", element: <Login /> }],
          },
          {
            element: <PanelLayout />,
            children: [{ path: "/panel/drivers", element: <h1>kierowcy</h1> }],
          },
          { path: "*", element: <AnythingElse /> },
        ],
      },
    ],
    { initialEntries: [path] },
  )
  render(<RouterProvider router={router} />)
  return router
}

const heading = (name: string | RegExp) => screen.findByRole("heading", { level: 1, name })
const landing = /^Codzienna kontrola/
const unverified = { ...anna, emailVerified: false }

describe("a visitor", () => {
  it.each(["/", "/panel/drivers", "/panel", "/no/such/path", "/auth/reset"])(
    "sees the landing page at %s",
    async (path) => {
      open(path, null)
      expect(await heading(landing)).toBeVisible()
    },
  )

  it("sees the login at its own path", async () => {
    open("/auth/login", null)
    expect(await heading("Logowanie")).toBeVisible()
  })

  it.each(["/admin", "/admin/users"])("is sent from %s to the login", async (path) => {
    const router = open(path, null)
    expect(await heading("Logowanie")).toBeVisible()
    expect(router.state.location.pathname).toBe("/auth/login")
  })
})

describe("a user with an unverified e-mail", () => {
  it.each(["/", "/panel/drivers", "/auth/login", "/no/such/path", "/admin"])(
    "sees the verification screen at %s",
    async (path) => {
      open(path, unverified)
      expect(await heading("Potwierdź adres e-mail")).toBeVisible()
    },
  )
})

describe("a user with a verified e-mail", () => {
  it("sees the panel", async () => {
    open("/panel/drivers", anna)
    expect(await heading("kierowcy")).toBeVisible()
  })

  it("sees the dashboard at /", async () => {
    open("/", anna)
    expect(await heading("Panel główny")).toBeVisible()
  })

  it.each(["/no/such/path", "/auth/login", "/admin", "/panel/nothing"])(
    "reads '404 Page Not Found' at %s",
    async (path) => {
      open(path, anna)
      expect(await heading("404 Page Not Found")).toBeVisible()
    },
  )
})

describe("a session that ends while the panel is open", () => {
  it("leads to the login, which says so", async () => {
    const router = open("/panel/drivers", anna)
    await heading("kierowcy")
    answering({
      "GET /api/user": refused(401, "auth_required", "x"),
      "GET /api/notifications": refused(401, "auth_required", "x"),
    })
    const { queryClient } = await import("~/shared/query-client")
    await queryClient.refetchQueries()
    expect(await heading("Logowanie")).toBeVisible()
    expect(screen.getByText("Twoja sesja wygasła. Zaloguj się ponownie.")).toBeVisible()
    expect(router.state.location.pathname).toBe("/auth/login")
  })
})
