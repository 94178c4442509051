import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"

const jsxFolder = `${import.meta.dirname}/../frontend/src/lib/jsx/`

/**
 * Puts texts into elements of their own, in MUI and react-admin as well, for browsers that translate
 * pages: MUI uses the JSX runtime, and react-admin `createElement`.
 */
const separateTexts: Plugin = {
  name: "separate-texts",
  enforce: "pre",
  resolveId(module, importer = "") {
    const [, runtime] = /^react\/(jsx-(?:dev-)?runtime)$/.exec(module) ?? []
    if (runtime && !importer.includes("/lib/jsx/")) return `${jsxFolder}${runtime}.ts`
    if (module === "react" && /node_modules\/(ra-|react-admin)/.test(importer))
      return `${import.meta.dirname}/src/reactWithTexts.ts`
  },
}

export default defineConfig({
  base: "/admin/",
  html: { cspNonce: "__CSP_NONCE__" }, // the server writes a nonce of its own into each response
  plugins: [separateTexts, react()],
  resolve: { dedupe: ["react"] },
  build: {
    outDir: "build",
    assetsInlineLimit: 0, // the Content-Security-Policy allows no fonts in style sheets
    chunkSizeWarningLimit: 1500, // react-admin and MUI are one chunk, loaded once by operators
  },
  server: {
    host: "127.0.0.1",
    fs: { allow: ["..", "."] }, // the panel's tokens.css and favicon
    proxy: { "/api": "http://127.0.0.1:8000" },
  },
})
