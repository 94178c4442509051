/** Adds the scripts of the public pages to the router's build: they are no routes of it. */

import type { Plugin } from "vite"

const entries = ["src/app/landing-entry.tsx", "src/app/legal-entry.tsx", "src/app/sample-entry.tsx"]

export function publicPageEntries(): Plugin {
  return {
    name: "public-page-entries",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    buildStart() {
      for (const id of entries) this.emitFile({ type: "chunk", id })
    },
  }
}
