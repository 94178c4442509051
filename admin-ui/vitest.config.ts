import { defineConfig } from "vitest/config"

export default defineConfig({
  server: { fs: { allow: [".."] } }, // the panel's tokens.css
  test: {
    environment: "jsdom",
    css: true,
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["./vitest.setup.ts"],
    restoreMocks: true,
    pool: "threads",
    maxWorkers: 2,
  },
})
