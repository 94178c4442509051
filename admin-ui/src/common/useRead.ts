import { useQuery } from "@tanstack/react-query"
import { useDataProvider } from "react-admin"
import type { ConsoleDataProvider } from "../dataProvider.ts"
import { polling } from "./polling.ts"

/** Reads an object that is no resource; repeatedly where it is `live`. */
export function useRead<Content>(path: string, { live = false } = {}) {
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  return useQuery({
    queryKey: ["read", path],
    queryFn: ({ signal }) => dataProvider.read<Content>(path, signal),
    ...(live ? polling : {}),
  })
}
