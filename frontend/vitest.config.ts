import { defineConfig } from "vitest/config"

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"],
    setupFiles: ["./vitest.setup.ts"],
    restoreMocks: true,
    pool: "vmThreads",
    maxWorkers: 2,
    // Beside other suites on two cores a test takes many times as long; none waits for the limit.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
