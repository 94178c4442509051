/** The choices of the list of drivers (filter, order, page), and their form in the address. */

import { type DriverFilter, driverFilters } from "~/entities/driver/driver-filter"
import { type PageSize, pageSizes } from "~/lib/pagination"
import { type DriverSort, sortKeys } from "./driver-sort"

export type ListView = {
  filter: DriverFilter
  query: string
  sort: DriverSort
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

function readSort(text: string): DriverSort {
  const descending = text.startsWith("-")
  const key = sortKeys.find((one) => one === text.slice(descending ? 1 : 0))
  return key ? { key, descending } : null
}
