import { reactRouter } from "@react-router/dev/vite"
import tailwindcss from "@tailwindcss/vite"
import { defineConfig } from "vite"
import { polishLineEnds } from "./scripts/polish-line-ends.ts"

export default defineConfig({
  plugins: [polishLineEnds(), tailwindcss(), reactRouter()],
  resolve: { tsconfigPaths: true },
  build: {
    // The manifest is what scripts/after-build.ts weighs the landing page by.
    manifest: true,
    cssTarget: ["chrome123", "firefox121", "safari17.5"],
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": "http://127.0.0.1:8000" },
  },
})
