/** Operators sign in at the panel's login; the console only asks whose session it is. */

import { type AuthProvider, fetchUtils } from "react-admin"

type Session = {
  userId: string
  email: string
  secondFactor: "done" | "setup_required" | "not_required"
  expiresAt: string
}

export const SECOND_FACTOR_PATH = "/admin/second-factor"
const MISSING_SECOND_FACTOR = "second_factor_setup_required"
const SESSION_LIFETIME_MS = 30_000

export type Refusal = { status?: number; body?: { error?: string } }

/** Shared with the tabs of the panel; what this page sends reaches the others alone. */
const sessionChannel = new BroadcastChannel("session")

let session: Promise<Session> | null = null
let account: string | undefined
let loadedAt = 0
let openForms = 0
let change: Promise<unknown> = Promise.resolve()

/** The session, asked for at most every half a minute. */
function loadSession(): Promise<Session> {
  if (!session || Date.now() - loadedAt > SESSION_LIFETIME_MS) {
    loadedAt = Date.now()
    session = fetchUtils
      .fetchJson("/api/admin/session")
      .catch((error) => sessionChange().then(() => Promise.reject(error)))
      .then(({ json }) => {
        account ??= json.email
        return json
      })
    session.catch(forgetSession)
  }
  return session
}

/** Whose page this is: the server refuses its calls with the session of another operator. */
export const pageAccount = () => account

export function forgetSession(): void {
  session = null
}

/** Calls what gives the browser another session, or none; with it the page is left. */
export async function changeSession<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  const answer = call()
  const forever = new Promise<never>(() => undefined)
  change = answer.then(
    () => forever,
    () => undefined,
  )
  await answer
  sessionChannel.postMessage(null)
  return answer
}

/** Loads the page anew when another tab has changed the session, or the browser has kept the page. */
export function watchSession(reload = () => window.location.reload()): void {
  const reloadUnlessTyped = () => openForms === 0 && reload()
  sessionChannel.onmessage = reloadUnlessTyped
  window.addEventListener("pageshow", ({ persisted }) => persisted && reloadUnlessTyped())
}

/** Waits for a change of the session that is under way: the refusal of another call is its effect. */
export const sessionChange = () => change

/**
 * Until the answer is called, a session that ends opens no login: typed input would be lost. The
 * form says so itself.
 */
export function keepPage(): () => void {
  openForms += 1
  return () => {
    openForms -= 1
  }
}

/** react-admin leaves the application for an absolute address, and shows no message. */
function loginAddress(): string {
  const here = window.location.pathname + window.location.search
  const query = new URLSearchParams({ next: here })
  return new URL(`/auth/login?${query}`, window.location.origin).href
}

const needsSecondFactor = ({ status, body }: Refusal) =>
  status === 403 && body?.error === MISSING_SECOND_FACTOR

export const isForbidden = ({ status, body }: Refusal) =>
  status === 401 || (status === 403 && body?.error === "auth_forbidden")

export const authProvider: AuthProvider = {
  login: () => Promise.reject(new Error("Operators sign in at /auth/login.")),

  // react-admin calls this for refused sessions as well, which need not, or must not, be ended.
  logout: async (params) => {
    forgetSession()
    if (!params?.byUser) return loginAddress()
    await changeSession(() => fetchUtils.fetchJson("/api/logout", { method: "POST" }))
    return new URL("/auth/login", window.location.origin).href
  },

  checkAuth: async () => {
    try {
      await loadSession()
    } catch (error) {
      if (isForbidden(error as Refusal) && openForms === 0) {
        throw { redirectTo: loginAddress(), message: false }
      }
      // Without an answer the screens show their own errors, and can try again.
    }
  },

  checkError: async (error: Refusal) => {
    if (isForbidden(error)) {
      forgetSession()
      if (openForms > 0) return
      throw { redirectTo: loginAddress(), logoutUser: false, message: false }
    }
    if (needsSecondFactor(error)) {
      throw { redirectTo: SECOND_FACTOR_PATH, logoutUser: false, message: false }
    }
  },

  getIdentity: async () => {
    const { userId, email } = await loadSession()
    return { id: userId, fullName: email }
  },

  getPermissions: async () => undefined,
}
