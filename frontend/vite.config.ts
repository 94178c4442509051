import { reactRouter } from "@react-router/dev/vite"
import tailwindcss from "@tailwindcss/vite"
import { defineConfig } from "vite"
import { polishLineEnds } from "./scripts/polish-line-ends.ts"
import { publicPageEntries } from "./scripts/public-page-entries.ts"

export default defineConfig({
  plugins: [polishLineEnds(), publicPageEntries(), tailwindcss(), reactRouter()],
  resolve: { tsconfigPaths: true },
  build: {
    // scripts/after-build.ts measures the landing page by the manifest.
    manifest: true,
    rolldownOptions: {
      output: {
        // Every page needs React, all but the public ones the router. Left to itself the bundler
        // splits them by which route imports what, and each split costs about a kilobyte.
        codeSplitting: {
          groups: [
            { name: "react", test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: "router", test: /node_modules\/react-router\// },
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
