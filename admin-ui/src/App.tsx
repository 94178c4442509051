import { QueryClient } from "@tanstack/react-query"
import { lazy } from "react"
import { Admin, CustomRoutes, localStorageStore, Resource } from "react-admin"
import { Route } from "react-router"
import actions from "./actions/index.ts"
import { authProvider } from "./authProvider.ts"
import { brand } from "./brand.ts"
import checkRuns from "./check-runs/index.ts"
import companies from "./companies/index.ts"
import contactMessages from "./contact-messages/index.ts"
import { Dashboard } from "./dashboard/Dashboard.tsx"
import { dataProvider } from "./dataProvider.ts"
import deliveries from "./deliveries/index.ts"
import discrepancies from "./discrepancies/index.ts"
import { i18nProvider } from "./i18nProvider.ts"
import incidents from "./incidents/index.ts"
import { Layout } from "./layout/Layout.tsx"
import { NotFound } from "./layout/NotFound.tsx"
import { SecondFactorPage } from "./layout/SecondFactorPage.tsx"
import { Toast } from "./layout/Toast.tsx"
import payments from "./payments/index.ts"
import plugins from "./plugins/index.ts"
import refunds from "./refunds/index.ts"
import { StatementImport } from "./statements/StatementImport.tsx"
import { darkTheme, lightTheme } from "./theme.ts"
import tickets from "./tickets/index.ts"
import users from "./users/index.ts"

const ChartsPage = lazy(() => import("./charts/ChartsPage.tsx"))

const store = localStorageStore(undefined, "prawko-console")
store.removeItem("locale") // the choice that the panel shares stands elsewhere: i18nProvider.ts

// A refused request is refused again, and polled queries repeat by themselves. Without a network an
// act fails at once: it is not kept until the network is back.
const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false }, mutations: { networkMode: "always" } },
})

export const App = () => (
  <Admin
    basename="/admin"
    title={brand}
    store={store}
    queryClient={queryClient}
    authProvider={authProvider}
    dataProvider={dataProvider}
    i18nProvider={i18nProvider}
    theme={lightTheme}
    darkTheme={darkTheme}
    layout={Layout}
    notification={Toast}
    dashboard={Dashboard}
    catchAll={NotFound}
    loginPage={false}
    requireAuth
    disableTelemetry
  >
    <Resource name="users" {...users} />
    <Resource name="companies" {...companies} />
    <Resource name="check-runs" {...checkRuns} />
    <Resource name="deliveries" {...deliveries} />
    <Resource name="payments" {...payments} />
    <Resource name="discrepancies" {...discrepancies} />
    <Resource name="refunds" {...refunds} />
    <Resource name="tickets" {...tickets} />
    <Resource name="contact-messages" {...contactMessages} />
    <Resource name="plugins" {...plugins} />
    <Resource name="incidents" {...incidents} />
    <Resource name="actions" {...actions} />
    <CustomRoutes>
      <Route path="/charts" element={<ChartsPage />} />
      <Route path="/statements" element={<StatementImport />} />
    </CustomRoutes>
    <CustomRoutes noLayout>
      <Route path="/second-factor" element={<SecondFactorPage />} />
    </CustomRoutes>
  </Admin>
)
