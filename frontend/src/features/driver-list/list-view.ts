/** The choices of the list of drivers (filter, order, page), in the address and in memory. */

import { useMutation } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { useLocation, useNavigate, useNavigation, useRevalidator } from "react-router"
import { setListViewMutation } from "~/api/@tanstack/react-query.gen"
import type { UserOut } from "~/api/types.gen"
import { type DriverFilter, driverFilters } from "~/entities/driver/driver-filter"
import { useUser } from "~/hooks/use-user"
import { queryClient } from "~/lib/query-client"
import { sessionQuery } from "~/lib/session"
import { type DriverSort, sortKeys } from "./list-order"

export const pageSizes = [10, 25, 50, 100, 200] as const
export type PageSize = (typeof pageSizes)[number]

type Page<Row> = { rows: Row[]; page: number; pages: number }

/**
 * The requested page, or the last one if the list has become shorter. Pages count from 1; even an
 * empty list has one page.
 */
export function paginate<Row>(rows: readonly Row[], page: number, size: PageSize): Page<Row> {
  const pages = Math.max(1, Math.ceil(rows.length / size))
  const current = Math.min(Math.max(1, page), pages)
  return { rows: rows.slice((current - 1) * size, current * size), page: current, pages }
}

export type ListView = {
  filter: DriverFilter
  query: string
  /** Null is the order of the group: by the answer, or of those who expire by the day. */
  sort: DriverSort | null
  page: number
  size: PageSize
}

const names = ["status", "q", "sort", "page", "size"] as const
const defaultSize: PageSize = 10

/** The view that the parameters name; what is absent or unknown is the default. */
export function readListView(search: URLSearchParams, size: PageSize = defaultSize): ListView {
  const page = Number(search.get("page"))
  const ownSize = Number(search.get("size"))
  return {
    filter: driverFilters.find((one) => one === search.get("status")) ?? "all",
    query: search.get("q") ?? "",
    sort: readSort(search.get("sort") ?? ""),
    page: Number.isInteger(page) && page > 0 ? page : 1,
    size: pageSizes.find((one) => one === ownSize) ?? size,
  }
}

/** The parameters with those of the view; the defaults are left out, other parameters are kept. */
export function writeListView(search: URLSearchParams, view: ListView): URLSearchParams {
  const values: Record<(typeof names)[number], string> = {
    status: view.filter === "all" ? "" : view.filter,
    q: view.query.trim(),
    sort: view.sort ? `${view.sort.descending ? "-" : ""}${view.sort.key}` : "",
    page: view.page === 1 ? "" : String(view.page),
    size: view.size === defaultSize ? "" : String(view.size),
  }
  const written = new URLSearchParams(search)
  for (const name of names) {
    written.delete(name)
    if (values[name]) written.set(name, values[name])
  }
  return written
}

/** The parameters of the view alone, to compare two addresses. */
export function listParameters(search: URLSearchParams): string {
  const own = names.flatMap((name): [string, string][] => {
    const value = search.get(name)
    return value === null ? [] : [[name, value]]
  })
  return new URLSearchParams(own).toString()
}

/** After any change but that of the page itself the first page is shown. */
export function changeListView(view: ListView, change: Partial<ListView>): ListView {
  return { ...view, page: 1, ...change }
}

function readSort(text: string): DriverSort | null {
  const descending = text.startsWith("-")
  const key = sortKeys.find((one) => one === text.slice(descending ? 1 : 0))
  return key ? { key, descending } : null
}

/** Milliseconds without a key before the query is written into the address. */
const typingPause = 300
const memoryKey = ["driverListView"]

/**
 * The view of the list. The address carries it, so that users can link and reload it; a user who
 * returns by the menu finds it unchanged. It is kept in memory, until the session ends: a query may
 * be a person's name.
 */
export function useListView(size: PageSize): [ListView, (change: Partial<ListView>) => void] {
  const location = useLocation()
  const navigate = useNavigate()
  const [view, setView] = useState(() => {
    const recalled = recalledView()
    const search = new URLSearchParams(location.search)
    // What was typed just before leaving by "back" is not in the address yet.
    const isCurrent = recalled && (search.size === 0 || recalled.entry === location.key)
    return isCurrent ? recalled.view : readListView(search, recalled?.view.size ?? size)
  })
  const isLeaving = useNavigation().state !== "idle"
  const seen = useRef(location)
  // The parameters that this hook has written and that are not committed yet.
  const written = useRef<string>(undefined)

  useEffect(() => {
    const search = new URLSearchParams(location.search)
    const address = listParameters(search)
    if (location !== seen.current) {
      const before = listParameters(new URLSearchParams(seen.current.search))
      const isLinked = address !== before && address !== written.current
      seen.current = location
      written.current = undefined
      if (isLinked) return setView(readListView(search, recalledView()?.view.size))
    }
    rememberView({ view, entry: location.key })
    const next = listParameters(writeListView(new URLSearchParams(), view))
    // Writing would cancel the navigation, which may be a write before this one.
    if (next === address || isLeaving || written.current !== undefined) return
    const write = () => {
      written.current = next
      // With the part of the driver beside the list, which would else fold its open history.
      const to = { search: writeListView(search, view).toString(), hash: location.hash }
      void navigate(to, { replace: true, preventScrollReset: true })
    }
    if (readListView(search).query === view.query.trim()) return write()
    const timer = window.setTimeout(write, typingPause)
    return () => window.clearTimeout(timer)
  }, [view, location, navigate, isLeaving])

  return [view, (change) => setView((current) => changeListView(current, change))]
}

/** How the person wants the list, on every device; a change shows at once and is saved. */
export function useKeptView() {
  const { t } = useTranslation()
  const { listView, impersonator } = useUser()
  const { revalidate } = useRevalidator()
  const [kept, setKept] = useState(listView)
  const save = useMutation({
    ...setListViewMutation(),
    meta: { failed: () => t("drivers.paging.notSaved") },
    onSuccess: (saved) => {
      queryClient.setQueryData<UserOut | null>(
        sessionQuery.queryKey,
        (cached) => cached && { ...cached, listView: saved },
      )
      void revalidate()
    },
  })
  const keep = (change: Partial<typeof kept>) => {
    const next = { ...kept, ...change }
    setKept(next)
    if (!impersonator) save.mutate({ body: next })
  }
  return { kept, keep }
}

/** A view, and the entry of the history into whose address it is written. */
type RememberedView = { view: ListView; entry: string }

function recalledView(): RememberedView | undefined {
  return queryClient.getQueryData<RememberedView>(memoryKey)
}

function rememberView(view: RememberedView): void {
  queryClient.setQueryDefaults(memoryKey, { gcTime: Number.POSITIVE_INFINITY })
  queryClient.setQueryData(memoryKey, view)
}
