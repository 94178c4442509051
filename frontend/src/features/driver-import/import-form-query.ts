import { queryOptions } from "@tanstack/react-query"
import { queryClient } from "~/lib/query-client"

/** The script of the import's form, which few visits of a page need. */
export const importFormQuery = queryOptions({
  queryKey: ["importForm"],
  queryFn: () => import("./import-form"),
  networkMode: "always", // without a network it fails at once
})

/** Loads the form before it is opened. */
export const loadImportForm = () => void queryClient.prefetchQuery(importFormQuery)
