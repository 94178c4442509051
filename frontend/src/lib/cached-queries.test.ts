import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import {
  getDriverQueryKey,
  getUserQueryKey,
  listChangesQueryKey,
  listDriversQueryKey,
} from "~/api/@tanstack/react-query.gen"
import { queryGroups, refetchQueries } from "./cached-queries"
import { queryClient } from "./query-client"

describe("the groups of cached queries", () => {
  it("name queries of the API", () => {
    const generated = join(import.meta.dirname, "../api/@tanstack/react-query.gen.ts")
    const source = readFileSync(generated, "utf8")
    const known = [...source.matchAll(/createQueryKey\('(\w+)'/g)].map(([, name]) => name)
    const named = Object.values(queryGroups).flat()
    expect(named.filter((name) => !known.includes(name))).toEqual([])
  })

  it("include the page of a driver and its pages of history, and no other answers", async () => {
    const path = { driver_id: "00000000-0000-7000-8000-000000000001" }
    const keys = {
      list: listDriversQueryKey({ query: { view: "summary" } }),
      page: getDriverQueryKey({ path }),
      history: [...listChangesQueryKey({ path }), "pages"],
      user: getUserQueryKey(),
      local: ["driverListView"],
    }
    for (const queryKey of Object.values(keys)) queryClient.setQueryData(queryKey, {})
    await refetchQueries("drivers")
    const outdated = Object.entries(keys)
      .filter(([, queryKey]) => queryClient.getQueryState(queryKey)?.isInvalidated)
      .map(([name]) => name)
    expect(outdated).toEqual(["list", "page", "history"])
  })
})
