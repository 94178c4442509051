import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { runInNewContext } from "node:vm"
import { beforeEach, describe, expect, it, vi } from "vitest"

const origin = "https://prawko.test"
const publicFile = (name: string) =>
  readFileSync(join(import.meta.dirname, "../../public", name), "utf8")
const script = publicFile("service-worker.js")
const offlineHtml = publicFile("offline.html")

type Listener = (event: Record<string, unknown>) => void
type Message = { title: string; path: string; tag: string }

/** The worker in a browser of ours, whose network is `fetch` and whose storage is `stored`. */
function startWorker() {
  const listeners: Record<string, Listener> = {}
  const stored = new Map<string, Map<string, Response>>()
  const shown: { title: string; options: NotificationOptions }[] = []
  const windows: { url: string; focus: () => void }[] = []
  const fetch = vi.fn(async (_: unknown) => new Response("panel"))
  const openWindow = vi.fn()
  const pathOf = (request: unknown) =>
    new URL(typeof request === "string" ? request : (request as Request).url, origin).pathname
  const open = (name: string) => {
    const files = stored.get(name) ?? new Map<string, Response>()
    stored.set(name, files)
    return {
      addAll: async (requests: Request[]) => {
        for (const request of requests) {
          files.set(
            pathOf(request),
            new Response(pathOf(request) === "/offline.html" ? offlineHtml : "css", {
              headers: { "Content-Security-Policy": "default-src 'self'" },
            }),
          )
        }
      },
      put: async (request: string, response: Response) => files.set(pathOf(request), response),
    }
  }
  const caches = {
    open: async (name: string) => open(name),
    keys: async () => [...stored.keys()],
    delete: async (name: string) => stored.delete(name),
    match: async (request: unknown, { cacheName }: { cacheName?: string } = {}) =>
      [...stored]
        .filter(([name]) => !cacheName || name === cacheName)
        .map(([, files]) => files.get(pathOf(request)))
        .find(Boolean)
        ?.clone(),
  }
  const self = {
    location: { origin },
    addEventListener: (type: string, listener: Listener) => {
      listeners[type] = listener
    },
    skipWaiting: async () => {},
    clients: { claim: async () => {}, matchAll: async () => windows, openWindow },
    registration: {
      showNotification: async (title: string, options: NotificationOptions) => {
        shown.push({ title, options })
      },
    },
  }
  const SiteRequest = class extends Request {
    constructor(path: string, options?: RequestInit) {
      super(new URL(path, origin), options)
    }
  }
  runInNewContext(script, {
    self,
    caches,
    fetch,
    Response,
    Request: SiteRequest,
    URL,
    Intl,
    Promise,
    Number,
  })

  /** Dispatches an event and waits for what the worker does with it. */
  const dispatch = async (type: string, event: Record<string, unknown> = {}) => {
    let work: unknown
    const keep = (promise: unknown) => {
      work = promise
    }
    listeners[type]?.({ ...event, waitUntil: keep, respondWith: keep })
    return (await work) as Response | undefined
  }
  const navigate = (path = "/panel") =>
    dispatch("fetch", {
      request: { mode: "navigate", url: origin + path },
      preloadResponse: Promise.resolve(undefined),
    })
  const push = (data: unknown) => dispatch("push", { data })
  return { dispatch, navigate, push, fetch, caches, stored, shown, windows, openWindow }
}

let worker: ReturnType<typeof startWorker>

beforeEach(async () => {
  worker = startWorker()
  await worker.dispatch("install")
  await worker.dispatch("activate")
})

const message = (changes: Partial<Record<keyof Message, unknown>> = {}) => ({
  json: () => ({ title: "Zatrzymane: Jan", path: "/panel/drivers/1", tag: "t", ...changes }),
})
const networkIsAway = () => worker.fetch.mockRejectedValue(new TypeError("offline"))

describe("with a network", () => {
  it("takes the panel from it, always", async () => {
    expect(await (await worker.navigate())?.text()).toBe("panel")
    expect(worker.fetch).toHaveBeenCalledOnce()
  })

  it("takes the page that the browser has requested meanwhile", async () => {
    const response = await worker.dispatch("fetch", {
      request: { mode: "navigate", url: `${origin}/panel` },
      preloadResponse: Promise.resolve(new Response("preloaded")),
    })
    expect(await response?.text()).toBe("preloaded")
    expect(worker.fetch).not.toHaveBeenCalled()
  })

  it("leaves every other request alone, those of the API among them", async () => {
    const request = { mode: "cors", url: `${origin}/api/drivers` }
    expect(await worker.dispatch("fetch", { request })).toBeUndefined()
    expect(worker.fetch).not.toHaveBeenCalled()
  })

  it("stores its own page alone", async () => {
    await worker.navigate()
    const files = [...worker.stored.values()].flatMap((cache) => [...cache.keys()])
    expect(files).toEqual(["/offline.html", "/offline.css"])
  })

  it("passes a refusal of the server on", async () => {
    worker.fetch.mockResolvedValue(new Response("503", { status: 503 }))
    expect((await worker.navigate())?.status).toBe(503)
  })
})

describe("without a network", () => {
  it("says so in both languages, under the page's own policy", async () => {
    networkIsAway()
    const page = await worker.navigate("/panel/drivers")
    const html = await page?.text()
    expect(html).toContain("Nie masz połączenia z internetem")
    expect(html).toContain("You are offline")
    expect(html).not.toContain("<time>")
    expect(page?.headers.get("Content-Security-Policy")).toBe("default-src 'self'")
  })

  it("says from when the data was, in Warsaw's time", async () => {
    const cache = await worker.caches.open("last-state")
    await cache.put("/last-state", new Response(String(Date.parse("2026-11-22T05:12:00Z"))))
    await worker.dispatch("activate")
    networkIsAway()
    const html = await (await worker.navigate())?.text()
    expect(html).toContain("<p>Dane w panelu są z: <time>22.11.2026, 06:12</time></p>")
    expect(html).toContain("<time>22/11/2026, 06:12</time>")
  })

  it("has the style sheet of its page", async () => {
    networkIsAway()
    const request = { mode: "no-cors", url: `${origin}/offline.css` }
    expect(await (await worker.dispatch("fetch", { request }))?.text()).toBe("css")
  })
})

describe("a new worker", () => {
  it("drops the page of the one before it, and keeps the time", async () => {
    await worker.caches.open("offline-11111111")
    await worker.caches.open("last-state")
    await worker.dispatch("activate")
    expect([...worker.stored.keys()].filter((name) => name !== "last-state")).toHaveLength(1)
    expect(worker.stored.has("last-state")).toBe(true)
    expect(worker.stored.has("offline-11111111")).toBe(false)
  })

  it("is another file whenever its page is another one", () => {
    const hash = createHash("sha256").update(offlineHtml).update(publicFile("offline.css"))
    expect(script).toContain(`"offline-${hash.digest("hex").slice(0, 8)}"`)
  })
})

describe("a push message", () => {
  it("is shown, once for each tag, and remembers its page", async () => {
    await worker.push(message())
    expect(worker.shown).toEqual([
      {
        title: "Zatrzymane: Jan",
        options: { tag: "t", icon: "/icons/icon-192.png", data: { path: "/panel/drivers/1" } },
      },
    ])
  })

  it.each([
    ["no data", null],
    ["no JSON", { json: () => JSON.parse("{") }],
    ["no title", message({ title: "" })],
    ["another site", message({ path: "https://evil.test/panel" })],
    ["another site without a scheme", message({ path: "//evil.test/panel" })],
    ["a path beside the panel", message({ path: "/panel/../api/logout" })],
    ["a path that begins as the panel's", message({ path: "/panelist" })],
    ["a path that is no text", message({ path: 7 })],
  ])("with %s leads to the notifications", async (_, data) => {
    await worker.push(data)
    expect(worker.shown[0]?.options.data).toEqual({ path: "/panel/notifications" })
  })
})

describe("a click on a message", () => {
  const click = (path: string) => {
    const close = vi.fn()
    return worker
      .dispatch("notificationclick", { notification: { close, data: { path } } })
      .then(() => expect(close).toHaveBeenCalledOnce())
  }

  it("opens the driver, by the sign-in where one is due", async () => {
    await click("/panel/drivers/1")
    expect(worker.openWindow).toHaveBeenCalledWith("/auth/login?next=%2Fpanel%2Fdrivers%2F1")
  })

  it("brings a window to the front that shows the driver, and leaves others alone", async () => {
    const focus = vi.fn()
    worker.windows.push({ url: `${origin}/panel`, focus: vi.fn() })
    worker.windows.push({ url: `${origin}/panel/drivers/1?from=list`, focus })
    await click("/panel/drivers/1")
    expect(focus).toHaveBeenCalledOnce()
    expect(worker.openWindow).not.toHaveBeenCalled()
  })
})
