/**
 * An API server that keeps everything in memory, for work on the screens: `npm run mock` beside
 * `npm run dev`. /api/mock lists the companies of scenarios.ts; /api/mock/fleet selects one and
 * resets it. With `--site` it also serves the built site, under the strict Content-Security-Policy
 * of production.
 *
 * The e-mail code is always ABC234; the SMS code and the authenticator app's are 123456, which an
 * address that begins with "second" needs to sign in. Every password is accepted unless it
 * begins with "wrong"; one that begins with "haslo" is a common password. The reset token "old" has
 * expired, and a licence number that ends in 0 fails its check.
 */

import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { extname, join, normalize } from "node:path"
import { changesOf, daysOf, noticesOf } from "./driver-page.ts"
import { changeLimit, checkout, methods, pollOrder, quote } from "./payments.ts"
import { daysAgo, newId, type Scenario } from "./scenario.ts"
import { driver, runningTrial, scenarios, verification } from "./scenarios.ts"

const port = Number(process.env.PORT ?? 8000)
const site = process.argv.includes("--site") ? join(import.meta.dirname, "../build/client") : null
const details = {
  name: "Prawko Demo sp. z o.o.",
  address: "ul. Przykładowa 1, 00-001 Warszawa",
  taxId: "9999999999",
  email: "kontakt@prawko.test",
}
const operator = {
  missing: ["registerCourt", "krs", "shareCapital"],
  pl: {
    ...details,
    registerCourt: "[uzupełnij: sąd rejestrowy]",
    krs: "[uzupełnij: numer KRS]",
    shareCapital: "[uzupełnij: kapitał zakładowy]",
    dataProtection: `W sprawach danych osobowych napisz na adres ${details.email}.`,
  },
  en: {
    ...details,
    registerCourt: "[to be added: registry court]",
    krs: "[to be added: KRS number]",
    shareCapital: "[to be added: share capital]",
    dataProtection: `Please write to ${details.email} about personal data.`,
  },
}
const runningScenarios = new Map<string, Scenario>()

type MockResponse = { status: number; body: unknown; headers?: Record<string, string> }
type HandlerCall = {
  scenario: Scenario
  body: Record<string, string>
  id: string
  query: URLSearchParams
}

const success = (body: unknown, status = 200): MockResponse => ({ status, body })

const ownAlerts = (user: NonNullable<Scenario["user"]>) => ({
  email: user.email,
  isSelf: true,
  emailEnabled: user.emailNotificationsEnabled,
  emailProblem: user.emailProblem,
  smsEnabled: user.smsNotificationsEnabled,
  phoneNumber: user.phoneNumber,
  phoneVerified: user.phoneVerified,
  groups: ["status", "expiry", "billing"],
  smsHours: null,
  monthlySummary: true,
})
const problem = (status: number, error: string, message: string, fields = {}): MockResponse => ({
  status,
  body: { error, message, ...(Object.keys(fields).length > 0 ? { fields } : {}) },
})

/** Looks like a QR code, and is none: an app takes the secret. */
const secondFactorSetup = {
  secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  uri: "otpauth://totp/Prawko:anna@spedycja.test?secret=JBSWY3DPEHPK3PXP&issuer=Prawko",
  qrCode: {
    size: 33,
    path: Array.from({ length: 33 * 33 }, (_, i) => i)
      .filter((i) => (i * i * 7 + (i >> 3)) % 5 < 2)
      .map((i) => `M${i % 33} ${Math.floor(i / 33)}h1v1h-1z`)
      .join(""),
  },
}
const recoveryCodes = Array.from({ length: 10 }, (_, i) => `7KQD-M2XA-${9000 + i * 37}`)

const invalidCode = "Nieprawidłowy lub wykorzystany kod."
const wrongCode = problem(400, "invalid_second_factor", invalidCode, { code: invalidCode })

const listRoutes = /drivers|notifications|summary|subscription$|methods|quote|invoices$/

const handlers: Record<string, (call: HandlerCall) => MockResponse> = {
  "GET /api/user": ({ scenario }) =>
    scenario.user ? success(scenario.user) : problem(401, "auth_required", "Musisz się zalogować."),
  "PUT /api/user/language": ({ body }) => success(body),
  "PUT /api/user/list-view": ({ body }) => success(body),
  "POST /api/login": ({ scenario, body }) => {
    if (body.password?.startsWith("wrong")) {
      return problem(401, "invalid_credentials", "Nieprawidłowy adres e-mail lub hasło")
    }
    if (body.email?.startsWith("second")) return success({ ok: true, secondFactorRequired: true })
    scenario.user ??= scenarios.fleet?.().user ?? null
    return success({ ok: true, emailVerified: true })
  },
  "POST /api/login/second-factor": ({ scenario, body }) => {
    if (body.code !== "123456") return wrongCode
    scenario.user ??= scenarios.fleet?.().user ?? null
    return success({ ok: true, emailVerified: true })
  },
  "GET /api/user/second-factor": ({ scenario }) => success(scenario.secondFactor),
  "POST /api/user/second-factor": () => success(secondFactorSetup),
  "POST /api/user/second-factor/confirm": ({ scenario, body }) => {
    if (body.code !== "123456") return wrongCode
    scenario.secondFactor = {
      ...scenario.secondFactor,
      enabled: true,
      enabledAt: new Date().toISOString(),
      recoveryCodesLeft: recoveryCodes.length,
    }
    return success({ recoveryCodes })
  },
  "POST /api/user/second-factor/recovery-codes": ({ body }) =>
    body.code === "123456" ? success({ recoveryCodes }) : wrongCode,
  "DELETE /api/user/second-factor": ({ scenario, body }) => {
    if (body.code !== "123456") return wrongCode
    scenario.secondFactor = { ...scenario.secondFactor, enabled: false, enabledAt: null }
    return success({ ok: true })
  },
  "POST /api/logout": ({ scenario }) => {
    scenario.user = null
    return success({ ok: true })
  },
  "POST /api/register": ({ scenario, body }) => {
    if (body.email?.startsWith("taken")) {
      return problem(409, "email_taken", "Konto z tym adresem e-mail już istnieje.")
    }
    scenario.user = {
      ...(scenarios.unverified?.().user as NonNullable<Scenario["user"]>),
      email: body.email ?? "",
    }
    return success({ ok: true, message: "Sprawdź swoją skrzynkę e-mail." }, 201)
  },
  "POST /api/verify-email/send": () => success({ ok: true, message: "Wysłaliśmy nowy kod." }),
  "POST /api/verify-email": ({ scenario, body }) => {
    if (body.token?.toUpperCase() !== "ABC234") {
      return problem(400, "invalid_code", "Kod weryfikacyjny jest nieprawidłowy lub wygasł")
    }
    if (scenario.user) scenario.user.emailVerified = true
    return success({ ok: true })
  },
  "POST /api/user/legal-acceptances": ({ scenario }) => {
    if (scenario.user) scenario.user.pendingDocuments = []
    return success({ pendingDocuments: [] })
  },
  "POST /api/request-password-reset": () => success({ ok: true, message: "Sprawdź e-mail." }),
  "POST /api/reset-password": ({ body }) =>
    body.token === "old"
      ? problem(400, "invalid_reset_link", "Link jest nieprawidłowy albo wygasł. Poproś o nowy.")
      : success({ ok: true, message: "Hasło zostało zmienione. Zaloguj się nowym hasłem." }),
  "POST /api/reset-password/check": ({ body }) =>
    body.token === "old"
      ? problem(400, "invalid_reset_link", "Link jest nieprawidłowy albo wygasł. Poproś o nowy.")
      : success({ ok: true }),
  "POST /api/user/change-password": ({ scenario, body }) => {
    if (body.currentPassword?.startsWith("wrong")) {
      const sentence = "Obecne hasło jest nieprawidłowe."
      return problem(400, "wrong_password", sentence, { currentPassword: sentence })
    }
    scenario.sessions = scenario.sessions.filter((one) => one.current)
    return success({ ok: true, message: "Hasło zostało zmienione" })
  },
  "POST /api/check-password": ({ body }) =>
    success({ faults: /^haslo/i.test(body.password ?? "") ? ["common"] : [], refused: false }),
  "GET /api/sessions": ({ scenario }) => success(scenario.sessions),
  "DELETE /api/sessions/:id": ({ scenario, id }) => {
    scenario.sessions = scenario.sessions.filter((one) => one.id !== id)
    return success({ id })
  },
  "POST /api/sessions/revoke-others": ({ scenario }) => {
    const count = scenario.sessions.length - 1
    scenario.sessions = scenario.sessions.filter((one) => one.current)
    return success({ ok: true, count })
  },
  "GET /api/subscription": ({ scenario }) => success(scenario.subscription),
  "POST /api/subscription/start-trial": ({ scenario, body }) => {
    if (body.taxId === "0000000000") {
      return problem(409, "trial_used", "Okres próbny został już wykorzystany.")
    }
    scenario.subscription = runningTrial()
    return success(scenario.subscription)
  },
  "PUT /api/user/billing-details": ({ scenario, body }) => {
    if (body.city === "Nigdzie") {
      const sentence = "Miasto jest wymagane"
      return problem(422, "invalid_billing_details", sentence, { city: sentence })
    }
    scenario.subscription.user = { ...scenario.subscription.user, ...body }
    return success(body)
  },
  "GET /api/payment-methods": () => success(methods),
  "GET /api/subscription/quote": ({ scenario, query }) =>
    success(quote(scenario, Number(query.get("driverLimit")))),
  "POST /api/subscription/create-checkout-session": ({ scenario, body }) =>
    Number(body.driverLimit) === 500
      ? problem(422, "payment_refused", "Bank odrzucił płatność. Spróbuj inną metodą.")
      : success(checkout(scenario, body as never)),
  "POST /api/subscription/change-limit": ({ scenario, body }) =>
    success(changeLimit(scenario, body as never)),
  "POST /api/subscription/cancel": ({ scenario }) => {
    scenario.subscription.cancelled = true
    return success({ status: "active", cancelled: true, endsAt: scenario.subscription.endDate })
  },
  "POST /api/subscription/resume": ({ scenario }) => {
    scenario.subscription.cancelled = false
    return success(scenario.subscription)
  },
  "GET /api/orders/:id": ({ scenario, id }) => {
    const found = pollOrder(scenario, id)
    return found ? success(found) : problem(404, "not_found", "Nie znaleziono.")
  },
  "GET /api/invoices": ({ scenario }) => success(scenario.invoices),
  "GET /api/drivers": ({ scenario }) => success(scenario.drivers),
  "POST /api/drivers": ({ scenario, body }) => {
    if (scenario.drivers.some((one) => one.licenseNumber === body.licenseNumber)) {
      return problem(409, "license_number_exists", "Numer prawa jazdy już istnieje")
    }
    if (scenario.drivers.length >= scenario.subscription.driverLimit) {
      return problem(403, "driver_limit_exceeded", "Przekroczono limit kierowców.")
    }
    const added = driver(body.firstName ?? "", body.lastName ?? "", body.licenseNumber ?? "", {
      createdAt: daysAgo(0),
    })
    scenario.drivers.push(added)
    scenario.history.set(added.id, [])
    return success(added, 201)
  },
  "GET /api/drivers/:id": ({ scenario, id }) => {
    const one = scenario.drivers.find((it) => it.id === id)
    return one ? success(one) : problem(404, "not_found", "Nie znaleziono.")
  },
  "GET /api/drivers/:id/changes": ({ scenario, id, query }) =>
    success(query.get("page") === "1" ? changesOf(scenario.history.get(id) ?? []) : []),
  "GET /api/drivers/:id/days": ({ scenario, id }) =>
    success(daysOf(scenario.history.get(id) ?? [])),
  "GET /api/drivers/:id/notices": ({ scenario, id }) => success(noticesOf(scenario, id)),
  "PUT /api/drivers/:id": ({ scenario, id, body }) => {
    const one = scenario.drivers.find((it) => it.id === id)
    if (!one) return problem(404, "not_found", "Nie znaleziono.")
    return success(Object.assign(one, body, { status: "unknown", verifications: [] }))
  },
  "DELETE /api/drivers/:id": ({ scenario, id }) => {
    scenario.drivers = scenario.drivers.filter((one) => one.id !== id)
    return success({ id })
  },
  "POST /api/drivers/:id/verify": ({ scenario, id }) => {
    const one = scenario.drivers.find((it) => it.id === id)
    if (!one) return problem(404, "not_found", "Nie znaleziono.")
    if (one.licenseNumber.endsWith("0")) {
      const answer = problem(503, "verification_failed", "Nie udało się zweryfikować kierowcy")
      return { ...answer, headers: { "Retry-After": "30" } }
    }
    const latest = verification(one, "valid", daysAgo(0))
    Object.assign(one, {
      status: "valid",
      mayDrive: "yes",
      staleSince: null,
      verifications: [latest],
      episode: null,
    })
    scenario.history.set(id, [latest, ...(scenario.history.get(id) ?? [])])
    return success(latest)
  },
  "POST /api/drivers/:id/acknowledgements": ({ scenario, id, body }) => {
    const one = scenario.drivers.find((it) => it.id === id)
    if (!one?.episode) return problem(409, "episode_ended", "Stan uprawnień zmienił się.")
    const createdBy = scenario.user?.email ?? null
    const entry = { id: newId(), note: body.note ?? "", createdAt: daysAgo(0), createdBy }
    one.episode = { ...one.episode, acknowledgement: entry }
    return success(one)
  },
  "POST /api/drivers/acknowledgements": ({ scenario, body }) => {
    const chosen = body.episodes as unknown as { driverId: string }[]
    const createdBy = scenario.user?.email ?? null
    return success(
      chosen.map(({ driverId }) => {
        const one = scenario.drivers.find((it) => it.id === driverId)
        const entry = { id: newId(), note: body.note ?? "", createdAt: daysAgo(0), createdBy }
        if (one?.episode) one.episode = { ...one.episode, acknowledgement: entry }
        const result = one?.episode ? "acknowledged" : "not_found"
        return { driverId, result, message: "", acknowledgementId: one?.episode ? entry.id : null }
      }),
    )
  },
  "DELETE /api/drivers/:id/acknowledgements/:entry": ({ scenario, id }) => {
    const one = scenario.drivers.find((it) => it.id === id)
    if (one?.episode) one.episode = { ...one.episode, acknowledgement: null }
    return success(one)
  },
  "GET /api/drivers/:id/verifications": ({ scenario, id, query }) => {
    const size = Number(query.get("pageSize") ?? 25)
    const start = (Number(query.get("page") ?? 1) - 1) * size
    const since = Date.parse(query.get("since") ?? "2000-01-01")
    const until = Date.parse(query.get("until") ?? "2100-01-01")
    const rows = (scenario.history.get(id) ?? [])
      .filter(
        ({ verifiedAt }) => Date.parse(verifiedAt) >= since && Date.parse(verifiedAt) <= until,
      )
      .slice(start, start + size)
    return success(rows.map((row) => ({ ...row, verificationResponse: {} })))
  },
  "GET /api/notifications": ({ scenario, query }) => {
    const size = Number(query.get("pageSize") ?? 25)
    const start = (Number(query.get("page") ?? 1) - 1) * size
    const rows = scenario.notifications.slice(start, start + size)
    const range = rows.length > 0 ? `${start}-${start + rows.length - 1}` : "*"
    const total = scenario.notifications.length
    return { ...success(rows), headers: { "Content-Range": `notifications ${range}/${total}` } }
  },
  "POST /api/notifications/:id/read": ({ scenario, id }) => {
    const one = scenario.notifications.find((it) => it.id === id)
    if (!one) return problem(404, "not_found", "Nie znaleziono.")
    return success(Object.assign(one, { read: true }))
  },
  "POST /api/notifications/read-all": ({ scenario }) => {
    for (const one of scenario.notifications) one.read = true
    return success({ ok: true, count: scenario.notifications.length })
  },
  "DELETE /api/notifications/:id": ({ scenario, id }) => {
    scenario.notifications = scenario.notifications.filter((one) => one.id !== id)
    return success({ id })
  },
  "GET /api/alert-recipients": ({ scenario }) =>
    scenario.user
      ? success({
          members: [ownAlerts(scenario.user)],
          recipients: [],
          maxRecipients: 20,
          smsFromHour: 6,
        })
      : problem(401, "auth_required", "Musisz się zalogować."),
  "PUT /api/alert-recipients/own": ({ scenario, body }) => {
    if (!scenario.user) return problem(401, "auth_required", "Musisz się zalogować.")
    return success({ ...ownAlerts(scenario.user), ...body })
  },
  "PUT /api/notifications/settings": ({ scenario, body }) => {
    if (!scenario.user) return problem(401, "auth_required", "Musisz się zalogować.")
    const { emailEnabled, smsEnabled } = body
    if (emailEnabled !== undefined) scenario.user.emailNotificationsEnabled = Boolean(emailEnabled)
    if (smsEnabled !== undefined) scenario.user.smsNotificationsEnabled = Boolean(smsEnabled)
    if (emailEnabled) scenario.user.emailProblem = null
    return success(ownAlerts(scenario.user))
  },
  "POST /api/notifications/send-verification-sms": ({ scenario, body }) => {
    if (scenario.user)
      Object.assign(scenario.user, { phoneNumber: body.phoneNumber, phoneVerified: false })
    return success({ ok: true, message: "Kod wysłany", resendAfter: 30 })
  },
  "POST /api/notifications/verify-sms": ({ scenario, body }) => {
    if (body.code !== "123456") {
      return problem(400, "invalid_phone_code", "Błąd podczas weryfikacji kodu")
    }
    if (scenario.user) scenario.user.phoneVerified = true
    const phoneNumber = scenario.user?.phoneNumber
    return success({ ok: true, message: "Weryfikacja zakończona", phoneNumber })
  },
  "POST /api/contact": ({ body }) =>
    body.company === "Nigdzie"
      ? problem(422, "invalid_contact_message", "Sprawdź pola formularza.", {
          company: "Podaj nazwę firmy.",
        })
      : success({ ok: true, message: "Wiadomość wysłana" }, 201),
  "POST /api/help/ticket": () => success({ ok: true, message: "Wiadomość wysłana" }, 201),
  "GET /api/checks/version": ({ scenario }) =>
    success({
      version: JSON.stringify([
        scenario.notifications[0]?.id,
        scenario.drivers.map((one) => one.verifications[0]?.id),
      ]),
    }),
  "GET /api/checks/summary": ({ scenario }) =>
    success({
      oldestVerifiedAt: scenario.staleSince ?? daysAgo(0.1),
      staleCount: scenario.drivers.filter((one) => one.staleSince).length,
      checkingStopped: scenario.subscription.status !== "active" && scenario.drivers.length > 0,
    }),
}

async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://mock")
  if (url.pathname.startsWith("/api/mock")) return selectScenario(url.pathname.slice(10), response)

  const name = /(?:^|;\s*)scenario=(\w+)/.exec(request.headers.cookie ?? "")?.[1] ?? "visitor"
  if (!url.pathname.startsWith("/api/")) {
    return serveFile(url.pathname, response, Boolean(runningScenarios.get(name)?.user))
  }
  const [key, id] = routeOf(url.pathname)
  const handler = handlers[`${request.method} ${key}`]
  const scenario = runningScenarios.get(name) ?? startScenario(name)
  if (listRoutes.test(key)) await new Promise((resolve) => setTimeout(resolve, scenario.delay))

  let answer = handler
    ? handler({ scenario, id, query: url.searchParams, body: await readJson(request) })
    : problem(404, "not_found", "Nie znaleziono.")
  if (scenario.failing && request.method === "GET" && listRoutes.test(key)) {
    answer = problem(500, "server_error", "Wystąpił błąd serwera. Spróbuj ponownie później.")
  }
  response.writeHead(answer.status, { "Content-Type": "application/json", ...answer.headers })
  response.end(JSON.stringify(answer.body))
}

function routeOf(path: string): [string, string] {
  const id = /[0-9a-f-]{36}/.exec(path)?.[0] ?? ""
  const route = id ? path.replace(id, ":id") : path
  return [route.replace(/[0-9a-f-]{36}/, ":entry"), id]
}

function startScenario(name: string): Scenario {
  const fresh = (scenarios[name] ?? scenarios.visitor ?? (() => ({}) as Scenario))()
  runningScenarios.set(name, fresh)
  return fresh
}

async function readJson(request: IncomingMessage): Promise<Record<string, string>> {
  let text = ""
  for await (const part of request) text += part
  return text ? JSON.parse(text) : {}
}

function selectScenario(name: string, response: ServerResponse): void {
  if (!(name in scenarios)) {
    const links = Object.keys(scenarios).map((one) => `<li><a href="/api/mock/${one}">${one}</a>`)
    response.writeHead(200, { "Content-Type": "text/html" }).end(`<ul>${links.join("")}</ul>`)
    return
  }
  startScenario(name)
  const to = name === "visitor" ? "/" : "/panel"
  response.writeHead(303, { Location: to, "Set-Cookie": `scenario=${name}; Path=/` }).end()
}

const types: Record<string, string> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
}

/** Replaces the placeholders of the operator's details, as the server does it. */
function fillInOperator(page: string): string {
  const { missing, pl } = operator
  return page
    .replace("__OPERATOR__", JSON.stringify(operator))
    .replaceAll("__CONTACT_EMAIL__", details.email)
    .replace(/__OPERATOR_(\w+?)__/g, (placeholder, field: string) => {
      const [name, text] = Object.entries(pl).find(([it]) => it.toUpperCase() === field) ?? []
      if (!name || !text) return placeholder
      return missing.includes(name) ? `<mark>${text}</mark>` : text
    })
}

/** As the server does it, users get the application instead of the prerendered pages. */
function serveFile(path: string, response: ServerResponse, isSignedIn: boolean): void {
  if (!site) {
    response.writeHead(404).end("the screens are served by `npm run dev`")
    return
  }
  const hashes: Record<string, string[]> = JSON.parse(readFileSync(join(site, "csp.json"), "utf8"))
  const requested = normalize(path).replace(/^\/+/, "")
  const page = [requested, join(requested, "index.html")].find(
    (one) => one in hashes && (!isSignedIn || one.startsWith("demo/")),
  )
  const name = page ?? (extname(requested) ? requested : "__spa-fallback.html")
  const scripts = (hashes[name] ?? []).map((hash) => `'${hash}'`).join(" ")
  try {
    const bytes = readFileSync(join(site, name))
    const isText = /\.(html|xml|txt)$/.test(name)
    response.writeHead(200, {
      "Content-Type": types[extname(name)] ?? "application/octet-stream",
      "Content-Security-Policy": `default-src 'none'; script-src 'self' ${scripts}; style-src 'self'; img-src 'self'; font-src 'self'; manifest-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    })
    const address = `http://127.0.0.1:${port}`
    const filled = () => fillInOperator(bytes.toString().replaceAll("__SITE_URL__", address))
    response.end(isText ? filled() : bytes)
  } catch {
    response.writeHead(404).end()
  }
}

createServer((request, response) => {
  handleRequest(request, response).catch((error: unknown) => {
    console.error(error)
    response.writeHead(500).end()
  })
}).listen(port, "127.0.0.1", () => {
  console.log(
    `mock API on http://127.0.0.1:${port}, scenarios at /api/mock: ${Object.keys(scenarios).join(", ")}`,
  )
})
