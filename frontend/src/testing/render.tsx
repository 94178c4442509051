/** Renders a screen inside the application's providers and a router. */

import { QueryClientProvider } from "@tanstack/react-query"
import { render } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import type { ReactNode } from "react"
import { I18nextProvider } from "react-i18next"
import { createMemoryRouter, RouterProvider } from "react-router"
import type { UserOut } from "~/api/types.gen"
import { i18n } from "~/lib/i18n"
import { queryClient } from "~/lib/query-client"
import { SessionContext } from "~/lib/session"
import { Toaster } from "~/ui/toaster"

type RenderOptions = { user?: UserOut | null; path?: string }

export function renderScreen(
  screen: ReactNode,
  { user = null, path = "/here" }: RenderOptions = {},
) {
  const withProviders = (children: ReactNode) => (
    <QueryClientProvider client={queryClient}>
      <I18nextProvider i18n={i18n}>
        <SessionContext value={user}>
          {children}
          <Toaster />
        </SessionContext>
      </I18nextProvider>
    </QueryClientProvider>
  )
  const router = createMemoryRouter(
    [
      { path: "/here/:driverId?", element: withProviders(screen) },
      { path: "*", element: withProviders(null) },
    ],
    { initialEntries: [path] },
  )
  render(<RouterProvider router={router} />)
  return { router, person: userEvent.setup() }
}
