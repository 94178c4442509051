import "@fontsource-variable/atkinson-hyperlegible-next/wght.css"
import "../../frontend/src/app/fonts/plain-zero.css"
import createCache from "@emotion/cache"
import { CacheProvider } from "@emotion/react"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { createBrowserRouter, RouterProvider } from "react-router"
import { App } from "./App.tsx"
import { watchSession } from "./authProvider.ts"

// The Content-Security-Policy allows only styles that carry the nonce of this response.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
const styles = createCache({ key: "css", nonce, prepend: true })
const router = createBrowserRouter([{ path: "/admin/*", element: <App /> }])
watchSession()
const root = document.getElementById("root")

if (root) {
  createRoot(root).render(
    <StrictMode>
      <CacheProvider value={styles}>
        <RouterProvider router={router} />
      </CacheProvider>
    </StrictMode>,
  )
}
