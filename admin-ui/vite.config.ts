import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

export default defineConfig({
  base: "/admin/",
  html: { cspNonce: "__CSP_NONCE__" }, // the server writes a nonce of its own into each response
  plugins: [react()],
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
