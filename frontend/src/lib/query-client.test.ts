import { describe, expect, it, vi } from "vitest"
import { getUser, listDrivers } from "~/api/sdk.gen"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { onSessionExpired, queryClient } from "./query-client"
import { currentUser } from "./session"

const listed = { queryKey: ["x"], queryFn: () => listDrivers({ throwOnError: true }) }

describe("the query client", () => {
  it("never considers data stale, refetches by itself or retries", () => {
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

  it("reports an expired session", async () => {
    mockServer({ "GET /api/drivers": errorResponse(401, "auth_required", "x") })
    const ended = vi.fn()
    const stop = onSessionExpired(ended)
    await expect(queryClient.fetchQuery(listed)).rejects.toThrow(/^401/)
    stop()
    expect(ended).toHaveBeenCalledOnce()
  })

  it("does not report other errors", async () => {
    mockServer({ "GET /api/drivers": errorResponse(500, "server_error", "x") })
    const ended = vi.fn()
    const stop = onSessionExpired(ended)
    await expect(queryClient.fetchQuery(listed)).rejects.toThrow(/^500/)
    stop()
    expect(ended).not.toHaveBeenCalled()
  })
})

describe("the current user", () => {
  it("is null after a 401", async () => {
    mockServer({ "GET /api/user": errorResponse(401, "auth_required", "x") })
    expect(await currentUser()).toBeNull()
  })

  it("is an error after anything else", async () => {
    mockServer({ "GET /api/user": errorResponse(503, "unavailable", "x") })
    await expect(currentUser()).rejects.toThrow(/^503/)
    await expect(getUser({ throwOnError: true })).rejects.toThrow(/^503/)
  })
})
