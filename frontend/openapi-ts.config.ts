import { defineConfig } from "@hey-api/openapi-ts"

// `openapi.json` is what `prawko openapi` prints; `src/api` is generated from it and never edited.
export default defineConfig({
  input: "openapi.json",
  output: { path: "src/api", entryFile: false },
  plugins: [
    { name: "@hey-api/client-fetch", baseUrl: false },
    "@hey-api/typescript",
    "@hey-api/sdk",
    { name: "valibot", requests: true, responses: false, definitions: true },
    { name: "@tanstack/react-query", infiniteQueryOptions: false },
  ],
})
