import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { useNavigation, useSearchParams } from "react-router"
import {
  changeListView,
  type ListView,
  listParameters,
  readListView,
  writeListView,
} from "./list-view"

/** Milliseconds without a key before the query is written into the address. */
const typingPause = 300
const memoryKey = ["driverListView"]

/**
 * The view of the list. The address carries it, so that it can be linked and reloaded; who comes
 * back by the menu finds it as it was. It is remembered in memory and until the session's end: a
 * query may be somebody's name.
 */
export function useListView(): [ListView, (change: Partial<ListView>) => void] {
  const cache = useQueryClient()
  const [search, setSearch] = useSearchParams()
  const [view, setView] = useState(
    () =>
      (search.size === 0 && recalledView(cache)) || readListView(search, recalledView(cache)?.size),
  )
  const address = listParameters(search)
  const isLeaving = useNavigation().state !== "idle"
  // What the address says as far as this hook knows: another one was opened by a link.
  const known = useRef(address)

  useEffect(() => {
    if (address === known.current) return
    known.current = address
    setView(readListView(new URLSearchParams(address), recalledView(cache)?.size))
  }, [address, cache])

  useEffect(() => {
    rememberView(cache, view)
    const next = listParameters(writeListView(new URLSearchParams(), view))
    // Writing would cancel the navigation.
    if (next === known.current || isLeaving) return
    const write = () => {
      known.current = next
      setSearch((current) => writeListView(current, view), {
        replace: true,
        preventScrollReset: true,
      })
    }
    const isTyped = readListView(new URLSearchParams(known.current)).query !== view.query.trim()
    if (!isTyped) return write()
    const timer = window.setTimeout(write, typingPause)
    return () => window.clearTimeout(timer)
  }, [view, cache, setSearch, isLeaving])

  return [view, (change) => setView((current) => changeListView(current, change))]
}

function recalledView(cache: QueryClient): ListView | undefined {
  return cache.getQueryData<ListView>(memoryKey)
}

function rememberView(cache: QueryClient, view: ListView): void {
  cache.setQueryDefaults(memoryKey, { gcTime: Number.POSITIVE_INFINITY })
  cache.setQueryData(memoryKey, view)
}
