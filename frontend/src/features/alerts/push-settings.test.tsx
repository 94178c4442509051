import { screen, waitFor } from "@testing-library/react"
import { beforeEach, describe, expect, it, vi } from "vitest"
import type { PushBrowserOut, UserOut } from "~/api/types.gen"
import { anna } from "~/testing/fixtures"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { PushSettings } from "./push-settings"

const endpoint = "https://push.test/1"
const keys = { endpoint, p256dh: "BA", auth: "AA" }
const laptop: PushBrowserOut = {
  id: "00000000-0000-7000-8000-0000000000b1",
  agent: "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0",
  active: true,
  createdAt: "2026-11-20T08:00:00Z",
}
const phone: PushBrowserOut = {
  ...laptop,
  id: "00000000-0000-7000-8000-0000000000b2",
  agent: "Mozilla/5.0 (Linux; Android 15) Chrome/140.0.0.0 Mobile Safari/537.36",
  active: false,
}

type Subscription = { endpoint: string; toJSON: () => object; unsubscribe: () => Promise<boolean> }

/** A browser with a push service; `made` is its subscription. */
function stubBrowser(options: { permission?: NotificationPermission; subscribed?: boolean } = {}) {
  const { permission = "granted", subscribed = false } = options
  const state: { made: Subscription | null; serverKeys: unknown[] } = { made: null, serverKeys: [] }
  const unsubscribe = vi.fn(async () => {
    state.made = null
    return true
  })
  const subscription: Subscription = {
    endpoint,
    unsubscribe,
    toJSON: () => ({ endpoint, keys: { p256dh: "BA", auth: "AA" } }),
  }
  if (subscribed) state.made = subscription
  const registration = {
    pushManager: {
      getSubscription: async () => state.made,
      subscribe: async ({ applicationServerKey }: PushSubscriptionOptionsInit) => {
        state.serverKeys.push(applicationServerKey)
        state.made = subscription
        return subscription
      },
    },
  }
  const serviceWorker = {
    register: async () => registration,
    getRegistration: async () => registration,
    ready: Promise.resolve(registration),
  }
  vi.stubGlobal("PushManager", class {})
  vi.stubGlobal("Notification", { permission, requestPermission: async () => permission })
  const changes = { serviceWorker: { value: serviceWorker }, onLine: { value: true } }
  vi.stubGlobal("navigator", Object.create(navigator, changes))
  return { state, unsubscribe }
}

function renderPush(browsers: PushBrowserOut[], answers = {}, user: UserOut = anna) {
  const requests = mockServer({
    "GET /api/notifications/push": { body: { serverKey: "BKEY", browsers } },
    "POST /api/notifications/push": { status: 201, body: laptop },
    "POST /api/notifications/push/renew": { body: laptop },
    [`DELETE /api/notifications/push/${laptop.id}`]: { body: { id: laptop.id } },
    [`DELETE /api/notifications/push/${phone.id}`]: { body: { id: phone.id } },
    ...answers,
  })
  const called = (call: string) => requests.filter((one) => one.endpoint === call)
  return { called, ...renderScreen(<PushSettings />, { user }) }
}

const findSwitch = () => screen.findByRole("switch", { name: "Powiadomienia w tej przeglądarce" })

beforeEach(() => () => vi.unstubAllGlobals())

describe("notifications in this browser", () => {
  it("are off until they are switched on, with the server's key", async () => {
    const { state } = stubBrowser()
    const { called, person } = renderPush([])
    expect(await findSwitch()).not.toBeChecked()

    await person.click(await findSwitch())
    await screen.findByText("Powiadomienia w tej przeglądarce są włączone.")
    await waitFor(async () => expect(await findSwitch()).toBeChecked())
    expect(state.serverKeys).toEqual(["BKEY"])
    expect(called("POST /api/notifications/push")[0]?.body).toEqual(keys)
  })

  it("end what somebody else made in this browser when they are switched on", async () => {
    const { unsubscribe } = stubBrowser({ subscribed: true })
    const missing = errorResponse(404, "not_found", "Nie znaleziono.")
    const { called, person } = renderPush([], { "POST /api/notifications/push/renew": missing })
    expect(await findSwitch()).not.toBeChecked()

    await person.click(await findSwitch())
    await waitFor(() => expect(called("POST /api/notifications/push")).toHaveLength(1))
    expect(unsubscribe).toHaveBeenCalledOnce()
  })

  it("are switched off here and at the server", async () => {
    const { state } = stubBrowser({ subscribed: true })
    const { called, person } = renderPush([laptop])
    expect(await findSwitch()).toBeChecked()
    expect(called("POST /api/notifications/push/renew")[0]?.body).toEqual({ endpoint })

    await person.click(await findSwitch())
    await screen.findByText("Powiadomienia w tej przeglądarce są wyłączone.")
    expect(called(`DELETE /api/notifications/push/${laptop.id}`)).toHaveLength(1)
    expect(state.made).toBeNull()
    await waitFor(async () => expect(await findSwitch()).not.toBeChecked())
  })

  it("leave nothing in the browser that the server refused", async () => {
    const { state } = stubBrowser()
    const refusal = errorResponse(409, "push_limit_exceeded", "Włączone w 10 przeglądarkach.")
    const { person } = renderPush([], { "POST /api/notifications/push": refusal })
    await person.click(await findSwitch())
    await screen.findByText("Włączone w 10 przeglądarkach.")
    expect(state.made).toBeNull()
    expect(await findSwitch()).not.toBeChecked()
  })

  it("are locked where the browser blocks them, with the remedy", async () => {
    stubBrowser({ permission: "denied" })
    renderPush([])
    expect(await findSwitch()).toBeDisabled()
    expect(await findSwitch()).toHaveAccessibleDescription(/Zezwól na nie w jej ustawieniach/)
  })

  it("say what to do where the person has just refused them", async () => {
    stubBrowser({ permission: "default" })
    const { called, person } = renderPush([])
    await person.click(await findSwitch())
    await screen.findByText(/Zezwól na nie w jej ustawieniach/)
    expect(called("POST /api/notifications/push")).toEqual([])
  })
})

describe("other browsers", () => {
  it("are listed without this one, and switched off", async () => {
    stubBrowser({ subscribed: true })
    const { called, person } = renderPush([laptop, phone])
    expect(await screen.findByText("Chrome, Android")).toBeVisible()
    expect(screen.queryByText("Firefox, Linux")).toBeNull()
    expect(screen.getByText(/wstrzymane do następnego logowania/)).toBeVisible()

    await person.click(screen.getByRole("button", { name: /^Wyłącz: Chrome, Android/ }))
    await waitFor(() =>
      expect(called(`DELETE /api/notifications/push/${phone.id}`)).toHaveLength(1),
    )
  })

  it("are listed in a browser that can show no notifications itself", async () => {
    renderPush([phone])
    expect(await screen.findByText("Chrome, Android")).toBeVisible()
    expect(screen.queryByRole("switch")).toBeNull()
  })
})

describe("the settings are hidden", () => {
  const expectNothing = async (called: (call: string) => unknown[]) => {
    await waitFor(() => expect(called("GET /api/notifications/push")).toHaveLength(1))
    expect(screen.queryByText("Powiadomienia w przeglądarce")).toBeNull()
  }

  it("where push is not configured", async () => {
    stubBrowser()
    const off = { body: { serverKey: null, browsers: [] } }
    await expectNothing(renderPush([], { "GET /api/notifications/push": off }).called)
  })

  it("where the browser can show none, and none is switched on elsewhere", async () => {
    await expectNothing(renderPush([]).called)
  })

  it("from an operator in the person's name, who asks for nothing", async () => {
    stubBrowser({ subscribed: true })
    const impersonator = { email: "olga@prawko.test", secondsLeft: 600 }
    const { called } = renderPush([laptop], {}, { ...anna, impersonator })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(called("GET /api/notifications/push")).toEqual([])
    expect(called("POST /api/notifications/push/renew")).toEqual([])
    expect(screen.queryByRole("switch")).toBeNull()
  })
})
