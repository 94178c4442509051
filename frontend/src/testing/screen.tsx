/** Shows a screen as the app would: with data, language, toasts, a session and an address. */

import { QueryClientProvider } from "@tanstack/react-query"
import { render } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import type { ReactNode } from "react"
import { I18nextProvider } from "react-i18next"
import { createMemoryRouter, RouterProvider } from "react-router"
import type { UserOut } from "~/api/types.gen"
import { i18n } from "~/shared/i18n"
import { queryClient } from "~/shared/query-client"
import { SessionProvider } from "~/shared/session"
import { Toaster } from "~/ui/toaster"

type Setting = { user?: UserOut | null; path?: string }

export function show(screen: ReactNode, { user = null, path = "/here" }: Setting = {}) {
  const inside = (children: ReactNode) => (
    <QueryClientProvider client={queryClient}>
      <I18nextProvider i18n={i18n}>
        <SessionProvider value={user}>
          {children}
          <Toaster />
        </SessionProvider>
      </I18nextProvider>
    </QueryClientProvider>
  )
  const router = createMemoryRouter(
    [
      { path: "/here", element: inside(screen) },
      { path: "*", element: inside(null) },
    ],
    { initialEntries: [path] },
  )
  render(<RouterProvider router={router} />)
  return { router, person: userEvent.setup() }
}
