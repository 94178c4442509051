import { HttpError } from "react-admin"
import { beforeEach, expect, test, vi } from "vitest"
import {
  authProvider,
  changeSession,
  forgetSession,
  keepPage,
  SECOND_FACTOR_PATH,
  watchSession,
} from "./authProvider.ts"
import { dataProvider } from "./dataProvider.ts"

const fetched = vi.fn<typeof fetch>()
const session = { userId: "7", email: "olga@prawko.test", secondFactor: "done", expiresAt: "" }

function answer(body: unknown, status = 200): void {
  fetched.mockImplementation(async () => new Response(JSON.stringify(body), { status }))
}

const refusal = (status: number, error: string) => new HttpError("", status, { error })

beforeEach(() => {
  fetched.mockReset()
  vi.stubGlobal("fetch", fetched)
  forgetSession()
  window.history.replaceState({}, "", "/admin/users?page=2")
})

const login = expect.stringMatching(/^http.*\/auth\/login\?next=%2Fadmin%2Fusers%3Fpage%3D2$/)

test("the identity is the session's, which is asked for once", async () => {
  answer(session)
  await authProvider.checkAuth({})
  expect(await authProvider.getIdentity?.()).toEqual({ id: "7", fullName: "olga@prawko.test" })
  expect(fetched).toHaveBeenCalledTimes(1)
})

test.each([
  [401, "auth_required"],
  [403, "auth_forbidden"],
])("a session refused by %i leads to the login and back", async (status, error) => {
  answer({ error }, status)
  await expect(authProvider.checkAuth({})).rejects.toEqual({ redirectTo: login, message: false })
})

test("a session that ends while working leads to the login", async () => {
  await expect(authProvider.checkError(refusal(401, "auth_required"))).rejects.toMatchObject({
    redirectTo: login,
    logoutUser: false,
  })
})

test("a session that ends leads nowhere while a form is open", async () => {
  const ended = refusal(401, "auth_required")
  const leavePage = keepPage()
  await expect(authProvider.checkError(ended)).resolves.toBeUndefined()
  leavePage()
  await expect(authProvider.checkError(ended)).rejects.toMatchObject({ redirectTo: login })
})

test("a missing second factor leads to its page and ends no session", async () => {
  const error = refusal(403, "second_factor_setup_required")
  await expect(authProvider.checkError(error)).rejects.toMatchObject({
    redirectTo: SECOND_FACTOR_PATH,
    logoutUser: false,
  })
})

test.each([
  [403, "last_operator"],
  [422, "reason_required"],
  [500, "server_error"],
])("a refusal by %i %s stays on the screen", async (status, error) => {
  await expect(authProvider.checkError(refusal(status, error))).resolves.toBeUndefined()
})

test("a server that does not answer ends no session", async () => {
  fetched.mockRejectedValue(new TypeError("Failed to fetch"))
  await expect(authProvider.checkAuth({})).resolves.toBeUndefined()
})

test("only the user's own sign-out ends the session", async () => {
  answer({ ok: true })
  await authProvider.logout({})
  expect(fetched).not.toHaveBeenCalled()
  await authProvider.logout({ byUser: true })
  expect(fetched.mock.calls[0]?.[0]).toBe("/api/logout")
})

test.each([
  ["another tab", () => new BroadcastChannel("session").postMessage(null)],
  [
    "a kept page",
    () => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })),
  ],
])("a session that %s may have ended is asked for anew, unless a form is open", async (_, end) => {
  const reload = vi.fn()
  watchSession(reload)
  const release = keepPage()
  end()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(reload).not.toHaveBeenCalled()
  release()
  end()
  await vi.waitFor(() => expect(reload).toHaveBeenCalled())
})

test("a refusal of another call is no answer once the session has changed hands", async () => {
  const isAnswered = vi.fn()
  await changeSession(async () => undefined)
  answer({ error: "auth_forbidden" }, 403)
  void authProvider.checkAuth({}).finally(isAnswered)
  void dataProvider.read("stats").catch(isAnswered)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(fetched).toHaveBeenCalledTimes(2)
  expect(isAnswered).not.toHaveBeenCalled()
})

test("a refusal counts when the session could not be changed", async () => {
  await expect(changeSession(() => Promise.reject(new Error("no")))).rejects.toThrow("no")
  answer({ error: "auth_forbidden" }, 403)
  await expect(authProvider.checkAuth({})).rejects.toMatchObject({ redirectTo: login })
})
