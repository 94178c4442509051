/**
 * A server that speaks the API from memory, for work on the screens: `npm run mock` beside
 * `npm run dev`. /api/mock/fleet chooses a company of scenarios.ts (and starts it afresh);
 * /api/mock lists them. With `--site` it serves the built site as well, under the strict
 * Content-Security-Policy it will have. The e-mail code is always ABC234, the code of an SMS
 * 123456, every password is right that does not begin with "wrong", "haslo…" is a common one, the
 * token "old" has expired, and a licence number that ends in 0 fails its check.
 */

import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { extname, join, normalize } from "node:path"
import { changeLimit, checkout, methods, orderNow, quote } from "./payments.ts"
import {
  daysAgo,
  driver,
  runningTrial,
  type Scenario,
  scenarios,
  verification,
} from "./scenarios.ts"

const port = Number(process.env.PORT ?? 8000)
const site = process.argv.includes("--site") ? join(import.meta.dirname, "../build/client") : null
const running = new Map<string, Scenario>()

type Answer = { status: number; body: unknown; headers?: Record<string, string> }
type Call = { now: Scenario; body: Record<string, string>; id: string; query: URLSearchParams }

const ok = (body: unknown, status = 200): Answer => ({ status, body })
const no = (status: number, error: string, message: string, fields = {}): Answer => ({
  status,
  body: { error, message, ...(Object.keys(fields).length > 0 ? { fields } : {}) },
})

const lists = /drivers|notifications|summary|subscription$|methods|quote|invoices$/

const calls: Record<string, (call: Call) => Answer> = {
  "GET /api/user": ({ now }) =>
    now.user ? ok(now.user) : no(401, "auth_required", "Musisz się zalogować."),
  "PUT /api/user/language": ({ body }) => ok(body),
  "POST /api/login": ({ now, body }) => {
    if (body.password?.startsWith("wrong")) {
      return no(401, "invalid_credentials", "Nieprawidłowy adres e-mail lub hasło")
    }
    now.user ??= scenarios.fleet?.().user ?? null
    return ok({ ok: true, emailVerified: true })
  },
  "POST /api/logout": ({ now }) => {
    now.user = null
    return ok({ ok: true })
  },
  "POST /api/register": ({ now, body }) => {
    if (body.email?.startsWith("taken")) {
      return no(409, "email_taken", "Konto z tym adresem e-mail już istnieje.")
    }
    now.user = {
      ...(scenarios.unverified?.().user as NonNullable<Scenario["user"]>),
      email: body.email ?? "",
    }
    return ok({ ok: true, message: "Sprawdź swoją skrzynkę e-mail." }, 201)
  },
  "POST /api/verify-email/send": () => ok({ ok: true, message: "Wysłaliśmy nowy kod." }),
  "POST /api/verify-email": ({ now, body }) => {
    if (body.token?.toUpperCase() !== "ABC234") {
      return no(400, "invalid_code", "Kod weryfikacyjny jest nieprawidłowy lub wygasł")
    }
    if (now.user) now.user.emailVerified = true
    return ok({ ok: true })
  },
  "POST /api/request-password-reset": () => ok({ ok: true, message: "Sprawdź e-mail." }),
  "POST /api/reset-password": ({ body }) =>
    body.token === "old"
      ? no(400, "invalid_reset_link", "Link jest nieprawidłowy albo wygasł. Poproś o nowy.")
      : ok({ ok: true, message: "Hasło zostało zmienione. Zaloguj się nowym hasłem." }),
  "POST /api/user/change-password": ({ now, body }) => {
    if (body.currentPassword?.startsWith("wrong")) {
      const sentence = "Obecne hasło jest nieprawidłowe."
      return no(400, "wrong_password", sentence, { currentPassword: sentence })
    }
    now.sessions = now.sessions.filter((one) => one.current)
    return ok({ ok: true, message: "Hasło zostało zmienione" })
  },
  "POST /api/check-password": ({ body }) =>
    ok({ faults: /^haslo/i.test(body.password ?? "") ? ["common"] : [], refused: false }),
  "GET /api/sessions": ({ now }) => ok(now.sessions),
  "DELETE /api/sessions/:id": ({ now, id }) => {
    now.sessions = now.sessions.filter((one) => one.id !== id)
    return ok({ id })
  },
  "POST /api/sessions/revoke-others": ({ now }) => {
    const count = now.sessions.length - 1
    now.sessions = now.sessions.filter((one) => one.current)
    return ok({ ok: true, count })
  },
  "GET /api/subscription": ({ now }) => ok(now.subscription),
  "POST /api/subscription/start-trial": ({ now, body }) => {
    if (body.taxId === "0000000000") {
      return no(409, "trial_used", "Okres próbny został już wykorzystany.")
    }
    now.subscription = runningTrial()
    return ok(now.subscription)
  },
  "PUT /api/user/billing-details": ({ now, body }) => {
    if (body.city === "Nigdzie") {
      const sentence = "Miasto jest wymagane"
      return no(422, "invalid_billing_details", sentence, { city: sentence })
    }
    now.subscription.user = { ...now.subscription.user, ...body }
    return ok(body)
  },
  "GET /api/payment-methods": () => ok(methods),
  "GET /api/subscription/quote": ({ now, query }) =>
    ok(quote(now, Number(query.get("driverLimit")))),
  "POST /api/subscription/create-checkout-session": ({ now, body }) =>
    Number(body.driverLimit) === 500
      ? no(422, "payment_refused", "Bank odrzucił płatność. Spróbuj inną metodą.")
      : ok(checkout(now, body as never)),
  "POST /api/subscription/change-limit": ({ now, body }) => ok(changeLimit(now, body as never)),
  "POST /api/subscription/cancel": ({ now }) => {
    now.subscription.cancelled = true
    return ok({ status: "active", cancelled: true, endsAt: now.subscription.endDate })
  },
  "POST /api/subscription/resume": ({ now }) => {
    now.subscription.cancelled = false
    return ok(now.subscription)
  },
  "GET /api/orders/:id": ({ now, id }) => {
    const found = orderNow(now, id)
    return found ? ok(found) : no(404, "not_found", "Nie znaleziono.")
  },
  "GET /api/invoices": ({ now }) => ok(now.invoices),
  "GET /api/drivers": ({ now }) => ok(now.drivers),
  "POST /api/drivers": ({ now, body }) => {
    if (now.drivers.some((one) => one.licenseNumber === body.licenseNumber)) {
      return no(409, "license_number_exists", "Numer prawa jazdy już istnieje")
    }
    if (now.drivers.length >= now.subscription.driverLimit) {
      return no(403, "driver_limit_exceeded", "Przekroczono limit kierowców.")
    }
    const added = driver(body.firstName ?? "", body.lastName ?? "", body.licenseNumber ?? "", {
      createdAt: daysAgo(0),
    })
    now.drivers.push(added)
    now.history.set(added.id, [])
    return ok(added, 201)
  },
  "PUT /api/drivers/:id": ({ now, id, body }) => {
    const one = now.drivers.find((it) => it.id === id)
    if (!one) return no(404, "not_found", "Nie znaleziono.")
    return ok(Object.assign(one, body, { status: "unknown", verifications: [] }))
  },
  "DELETE /api/drivers/:id": ({ now, id }) => {
    now.drivers = now.drivers.filter((one) => one.id !== id)
    return ok({ id })
  },
  "POST /api/drivers/:id/verify": ({ now, id }) => {
    const one = now.drivers.find((it) => it.id === id)
    if (!one) return no(404, "not_found", "Nie znaleziono.")
    if (one.licenseNumber.endsWith("0")) {
      const answer = no(503, "verification_failed", "Nie udało się zweryfikować kierowcy")
      return { ...answer, headers: { "Retry-After": "30" } }
    }
    const latest = verification(one, "valid", daysAgo(0))
    Object.assign(one, { status: "valid", staleSince: null, verifications: [latest] })
    now.history.set(id, [latest, ...(now.history.get(id) ?? [])])
    return ok(latest)
  },
  "GET /api/drivers/:id/verifications": ({ now, id, query }) => {
    const size = Number(query.get("pageSize") ?? 25)
    const start = (Number(query.get("page") ?? 1) - 1) * size
    const rows = (now.history.get(id) ?? []).slice(start, start + size)
    return ok(rows.map((row) => ({ ...row, verificationResponse: {} })))
  },
  "GET /api/notifications": ({ now, query }) => {
    const size = Number(query.get("pageSize") ?? 25)
    const start = (Number(query.get("page") ?? 1) - 1) * size
    const rows = now.notifications.slice(start, start + size)
    const range = rows.length > 0 ? `${start}-${start + rows.length - 1}` : "*"
    const total = now.notifications.length
    return { ...ok(rows), headers: { "Content-Range": `notifications ${range}/${total}` } }
  },
  "POST /api/notifications/:id/read": ({ now, id }) => {
    const one = now.notifications.find((it) => it.id === id)
    if (!one) return no(404, "not_found", "Nie znaleziono.")
    return ok(Object.assign(one, { read: true }))
  },
  "POST /api/notifications/read-all": ({ now }) => {
    for (const one of now.notifications) one.read = true
    return ok({ ok: true, count: now.notifications.length })
  },
  "DELETE /api/notifications/:id": ({ now, id }) => {
    now.notifications = now.notifications.filter((one) => one.id !== id)
    return ok({ id })
  },
  "PUT /api/notifications/settings": ({ now, body }) => {
    if (!now.user) return no(401, "auth_required", "Musisz się zalogować.")
    now.user.emailNotificationsEnabled = Boolean(body.emailEnabled)
    now.user.smsNotificationsEnabled = Boolean(body.smsEnabled)
    if (body.emailEnabled) now.user.emailProblem = null
    const { phoneNumber, phoneVerified, emailProblem } = now.user
    return ok({ ...body, phoneNumber, phoneVerified, emailProblem })
  },
  "POST /api/notifications/send-verification-sms": ({ now, body }) => {
    if (now.user) Object.assign(now.user, { phoneNumber: body.phoneNumber, phoneVerified: false })
    return ok({ ok: true, message: "Kod wysłany", resendAfter: 30 })
  },
  "POST /api/notifications/verify-sms": ({ now, body }) => {
    if (body.code !== "123456") {
      return no(400, "invalid_phone_code", "Błąd podczas weryfikacji kodu")
    }
    if (now.user) now.user.phoneVerified = true
    const phoneNumber = now.user?.phoneNumber
    return ok({ ok: true, message: "Weryfikacja zakończona", phoneNumber })
  },
  "POST /api/help/ticket": () => ok({ ok: true, message: "Wiadomość wysłana" }, 201),
  "GET /api/checks/summary": ({ now }) =>
    ok({
      oldestVerifiedAt: now.staleSince ?? daysAgo(0.1),
      staleCount: now.drivers.filter((one) => one.staleSince).length,
      checkingStopped: now.subscription.status !== "active" && now.drivers.length > 0,
    }),
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://mock")
  if (url.pathname.startsWith("/api/mock")) return choose(url.pathname.slice(10), response)
  if (!url.pathname.startsWith("/api/")) return file(url.pathname, response)

  const name = /(?:^|;\s*)scenario=(\w+)/.exec(request.headers.cookie ?? "")?.[1] ?? "visitor"
  const [key, id] = keyOf(url.pathname)
  const call = calls[`${request.method} ${key}`]
  const now = running.get(name) ?? begin(name)
  if (lists.test(key)) await new Promise((resolve) => setTimeout(resolve, now.delay))

  let answer = call
    ? call({ now, id, query: url.searchParams, body: await json(request) })
    : no(404, "not_found", "Nie znaleziono.")
  if (now.failing && request.method === "GET" && lists.test(key)) {
    answer = no(500, "server_error", "Wystąpił błąd serwera. Spróbuj ponownie później.")
  }
  response.writeHead(answer.status, { "Content-Type": "application/json", ...answer.headers })
  response.end(JSON.stringify(answer.body))
}

function keyOf(path: string): [string, string] {
  const id = /[0-9a-f-]{36}/.exec(path)?.[0] ?? ""
  return [id ? path.replace(id, ":id") : path, id]
}

function begin(name: string): Scenario {
  const fresh = (scenarios[name] ?? scenarios.visitor ?? (() => ({}) as Scenario))()
  running.set(name, fresh)
  return fresh
}

async function json(request: IncomingMessage): Promise<Record<string, string>> {
  let text = ""
  for await (const part of request) text += part
  return text ? JSON.parse(text) : {}
}

function choose(name: string, response: ServerResponse): void {
  if (!(name in scenarios)) {
    const links = Object.keys(scenarios).map((one) => `<li><a href="/api/mock/${one}">${one}</a>`)
    response.writeHead(200, { "Content-Type": "text/html" }).end(`<ul>${links.join("")}</ul>`)
    return
  }
  begin(name)
  const to = name === "visitor" ? "/" : "/panel"
  response.writeHead(303, { Location: to, "Set-Cookie": `scenario=${name}; Path=/` }).end()
}

const types: Record<string, string> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
}

function file(path: string, response: ServerResponse): void {
  if (!site) {
    response.writeHead(404).end("the screens are served by `npm run dev`")
    return
  }
  const hashes: Record<string, string[]> = JSON.parse(readFileSync(join(site, "csp.json"), "utf8"))
  const asked = normalize(path).replace(/^\/+/, "")
  const page = [asked, join(asked, "index.html")].find((one) => one in hashes)
  const name = page ?? (extname(asked) ? asked : "__spa-fallback.html")
  const scripts = (hashes[name] ?? []).map((hash) => `'${hash}'`).join(" ")
  try {
    const bytes = readFileSync(join(site, name))
    response.writeHead(200, {
      "Content-Type": types[extname(name)] ?? "application/octet-stream",
      "Content-Security-Policy": `default-src 'none'; script-src 'self' ${scripts}; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    })
    response.end(bytes)
  } catch {
    response.writeHead(404).end()
  }
}

createServer((request, response) => {
  serve(request, response).catch((error: unknown) => {
    console.error(error)
    response.writeHead(500).end()
  })
}).listen(port, "127.0.0.1", () => {
  console.log(
    `mock API on http://127.0.0.1:${port}, scenarios at /api/mock: ${Object.keys(scenarios).join(", ")}`,
  )
})
