import englishMessages from "ra-language-english"
import type { Catalogue } from "../Catalogue.ts"
import type { polish } from "../pl/index.ts"
import { console } from "./console.ts"
import { resources } from "./resources.ts"
import { values } from "./values.ts"

// Some groups are optional in its type, but they are all there.
const ra = englishMessages.ra as Catalogue<typeof polish>["ra"]

export const english: Catalogue<typeof polish> = {
  ra: {
    ...ra,
    navigation: {
      ...ra.navigation,
      no_results: "There is nothing here yet.",
      no_filtered_results: "Nothing matches these filters.",
      page_range_info: "Showing %{offsetBegin}–%{offsetEnd} of %{total}",
      page_rows_per_page: "Rows per page",
    },
    auth: { ...ra.auth, logout: "Sign out" },
    page: { ...ra.page, not_found: "Page not found" },
    message: { ...ra.message, not_found: "This page does not exist, or has been moved." },
    notification: {
      ...ra.notification,
      http_error: "The server did not answer. Try again in a moment.",
    },
  },
  console,
  resources,
  values,
}
