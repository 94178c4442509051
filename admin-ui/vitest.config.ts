import { defineConfig } from "vitest/config"

export default defineConfig({
  server: { fs: { allow: [".."] } }, // the panel's tokens.css
  test: {
    environment: "jsdom",
    css: true,
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["./vitest.setup.ts"],
    restoreMocks: true,
    // MUI and react-admin are loaded once, which takes longer than all tests. No file mocks a module.
    pool: "threads",
    isolate: false,
    maxWorkers: 1,
    // Beside other suites on two cores a test takes many times as long; none waits for the limit.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
