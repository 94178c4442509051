import { useGetList } from "react-admin"
import { polling } from "../common/polling.ts"
import type { CheckRun } from "./CheckRun.ts"

const latest = {
  pagination: { page: 1, perPage: 1 },
  sort: { field: "day", order: "DESC" },
} as const

/** The latest run, as it goes on. */
export function useTodaysRun() {
  const { data, error, isPending, refetch } = useGetList<CheckRun>("check-runs", latest, polling)
  return { run: data?.[0], error, isPending, refetch }
}
