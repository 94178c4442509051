import { describe, expect, it, vi } from "vitest"
import { getUser, listDrivers } from "~/api/sdk.gen"
import { answering, refused } from "~/testing/answers"
import { onSessionEnd, queryClient } from "./query-client"
import { currentUser } from "./session"

const listed = { queryKey: ["x"], queryFn: () => listDrivers({ throwOnError: true }) }

describe("the shared data layer", () => {
  it("takes nothing for stale, refetches nothing by itself and tries nothing twice", () => {
    const { queries, mutations } = queryClient.getDefaultOptions()
    expect(queries).toMatchObject({
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchInterval: false,
      retry: false,
    })
    expect(mutations).toMatchObject({ retry: false })
    expect(mutations).not.toHaveProperty("mutationFn")
  })

  it("tells the app when a call learns that the session is over", async () => {
    answering({ "GET /api/drivers": refused(401, "auth_required", "x") })
    const ended = vi.fn()
    const stop = onSessionEnd(ended)
    await expect(queryClient.fetchQuery(listed)).rejects.toThrow(/^401/)
    stop()
    expect(ended).toHaveBeenCalledOnce()
  })

  it("keeps still about every other failure", async () => {
    answering({ "GET /api/drivers": refused(500, "server_error", "x") })
    const ended = vi.fn()
    const stop = onSessionEnd(ended)
    await expect(queryClient.fetchQuery(listed)).rejects.toThrow(/^500/)
    stop()
    expect(ended).not.toHaveBeenCalled()
  })
})

describe("the current user", () => {
  it("is nobody after a 401", async () => {
    answering({ "GET /api/user": refused(401, "auth_required", "x") })
    expect(await currentUser()).toBeNull()
  })

  it("is an error after anything else", async () => {
    answering({ "GET /api/user": refused(503, "unavailable", "x") })
    await expect(currentUser()).rejects.toThrow(/^503/)
    await expect(getUser({ throwOnError: true })).rejects.toThrow(/^503/)
  })
})
