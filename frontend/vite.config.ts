import { reactRouter } from "@react-router/dev/vite"
import tailwindcss from "@tailwindcss/vite"
import { defineConfig } from "vite"
import { chunkGroups } from "./scripts/chunk-groups.ts"
import { polishLineEnds } from "./scripts/polish-line-ends.ts"

export default defineConfig({
  plugins: [polishLineEnds(), tailwindcss(), reactRouter()],
  resolve: { tsconfigPaths: true },
  build: {
    // scripts/after-build.ts measures the landing page by the manifest.
    manifest: true,
    assetsInlineLimit: 0, // the Content-Security-Policy allows no fonts in style sheets
    rolldownOptions: {
      output: {
        // Every page needs React and the router. Left to itself the bundler splits them by which
        // route imports what, and each split costs the landing page about a kilobyte.
        codeSplitting: {
          groups: [
            {
              name: "react",
              test: /node_modules\/(react|react-router|scheduler)\//,
              priority: 4,
            },
            ...chunkGroups(`${import.meta.dirname}/src`),
          ],
        },
      },
    },
    cssTarget: ["chrome123", "firefox121", "safari17.5"],
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": "http://127.0.0.1:8000" },
  },
})
