/**
 * The panel over the data of an invented company, without an account: its own screens, whose calls
 * are answered in the browser. Its addresses are fragments of one page.
 */

import { QueryClientProvider } from "@tanstack/react-query"
import { createRoot } from "react-dom/client"
import { I18nextProvider } from "react-i18next"
import { createHashRouter, Navigate, Outlet, RouterProvider } from "react-router"
import { client } from "~/api/client.gen"
import { LeaveSample, NotInSample, SampleBanner } from "~/features/sample/sample-banner"
import { user } from "~/features/sample/sample-company"
import { answerFromSample } from "~/features/sample/sample-server"
import { i18n, loadLanguage } from "~/lib/i18n"
import { detectLanguage } from "~/lib/language"
import { revealInLanguage } from "~/lib/pending-language"
import { queryClient } from "~/lib/query-client"
import { SessionContext } from "~/lib/session"
import Driver from "~/routes/driver"
import DriverList from "~/routes/driver-list"
import Overview from "~/routes/overview"
import { Toaster } from "~/ui/toaster"
import { pageContainer } from "./page-container"
import { PanelShell } from "./panel-shell"

client.setConfig({ fetch: answerFromSample as typeof fetch })

function SamplePanel() {
  return (
    <QueryClientProvider client={queryClient}>
      <I18nextProvider i18n={i18n}>
        <SessionContext value={user}>
          <PanelShell isSample>
            <SampleBanner />
            <Outlet />
          </PanelShell>
          <Toaster />
        </SessionContext>
      </I18nextProvider>
    </QueryClientProvider>
  )
}

const router = createHashRouter([
  { path: "/", element: <Navigate to="/panel" replace /> },
  {
    path: "/panel",
    element: <SamplePanel />,
    children: [
      { index: true, element: <Overview /> },
      {
        path: "drivers",
        element: <DriverList />,
        children: [{ path: ":driverId", element: <Driver /> }],
      },
      { path: "*", element: <NotInSample /> },
    ],
  },
  { path: "*", element: <LeaveSample /> },
])

await loadLanguage()
document.documentElement.lang = i18n.language
revealInLanguage(detectLanguage())
createRoot(pageContainer()).render(<RouterProvider router={router} />)
