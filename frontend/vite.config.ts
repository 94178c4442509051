import { reactRouter } from "@react-router/dev/vite"
import tailwindcss from "@tailwindcss/vite"
import { defineConfig } from "vite"
import { chunkGroups } from "./scripts/chunk-groups.ts"
import { polishLineEnds } from "./scripts/polish-line-ends.ts"
import { publicPageEntries } from "./scripts/public-page-entries.ts"

/** Small modules that both the public pages and the panel load. */
const baseModules = new RegExp(
  [
    "node_modules/clsx/",
    "node_modules/lucide-react/dist/esm/(Icon|context|createLucideIcon|defaultAttributes|shared/)",
    "src/(app/page-container|lib/(brand|language|operator|pending-language|signed-in-context))\\.ts",
    "src/ui/(alert|button|card|checkbox-field|field|language-switch|logo|spinner)\\.",
  ].join("|"),
)

export default defineConfig({
  plugins: [polishLineEnds(), publicPageEntries(), tailwindcss(), reactRouter()],
  resolve: { tsconfigPaths: true },
  build: {
    // scripts/after-build.ts measures the landing page by the manifest.
    manifest: true,
    assetsInlineLimit: 0, // the Content-Security-Policy allows no fonts in style sheets
    rolldownOptions: {
      // legal-text.ts imports the current Polish texts for the prerendered pages, too.
      checks: { ineffectiveDynamicImport: false },
      output: {
        // Every page needs React, all but the public ones the router. Left to itself the bundler
        // splits them by which route imports what, and each split costs about a kilobyte.
        codeSplitting: {
          groups: [
            { name: "react", test: /node_modules\/(react|react-dom|scheduler)\//, priority: 6 },
            { name: "router", test: /node_modules\/react-router\//, priority: 5 },
            { name: "base", test: baseModules, priority: 4 },
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
