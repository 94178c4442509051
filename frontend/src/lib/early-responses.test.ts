import { beforeEach, describe, expect, it } from "vitest"
import {
  getCheckSummary,
  getSubscription,
  listDrivers,
  listNotifications,
  logout,
} from "~/api/sdk.gen"
import "./api-client"
import { mockServer, type RecordedRequest } from "~/testing/mock-server"
import { earlyRequests } from "./early-responses"

const early = (status: number, body: unknown) => Promise.resolve(Response.json(body, { status }))
const subscription = { body: { status: "active" } }

let requests: RecordedRequest[]

beforeEach(() => {
  requests = mockServer({ "GET /api/subscription": subscription, "POST /api/logout": {} })
  window.earlyResponses = {}
})

const read = async () => (await getSubscription({ throwOnError: true })).data as unknown

describe("an early response", () => {
  it("is taken once by the request that it answers", async () => {
    window.earlyResponses = { "/api/subscription": early(200, "early") }
    expect(await read()).toBe("early")
    expect(requests).toEqual([])
    expect(await read()).toEqual(subscription.body)
    expect(requests).toHaveLength(1)
  })

  it.each([
    ["failed", early(500, "early")],
    ["was refused", early(403, "early")],
  ])("is requested again if it %s", async (_, response) => {
    window.earlyResponses = { "/api/subscription": response }
    expect(await read()).toEqual(subscription.body)
  })

  it("is requested again if it never arrived", async () => {
    window.earlyResponses = { "/api/subscription": Promise.reject(new TypeError("offline")) }
    expect(await read()).toEqual(subscription.body)
  })

  it("stands if no user is signed in", async () => {
    window.earlyResponses = { "/api/subscription": early(401, { error: "auth_required" }) }
    await expect(read()).rejects.toMatchObject({ status: 401 })
    expect(requests).toEqual([])
  })

  it("is dropped by a write, which may have changed it", async () => {
    window.earlyResponses = { "/api/subscription": early(200, "early") }
    await logout({ throwOnError: true })
    expect(await read()).toEqual(subscription.body)
  })
})

describe("the early requests", () => {
  it("are those that the screens send", async () => {
    const sent: string[] = []
    const record = async (request: Request | string) => {
      const { pathname, search } = new URL((request as Request).url)
      sent.push(pathname + search)
      return new Response("[]")
    }
    const fetch = record as typeof globalThis.fetch
    await listDrivers({ query: { verifications: 1, view: "summary" }, fetch })
    await getSubscription({ fetch })
    await getCheckSummary({ fetch })
    await listNotifications({ query: { unread: true, pageSize: 20 }, fetch })
    expect(earlyRequests.byPath["/panel"]).toEqual(sent)
  })
})
