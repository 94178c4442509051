/**
 * The console's API in memory, for work on the screens: `npm run mock` beside `npm run dev`. With
 * `--site` it also serves the built console, under the Content-Security-Policy of production.
 *
 * The run of the day goes on while it is watched. A reason that begins with "błąd" is refused;
 * /api/mock/visitor, /api/mock/customer, /api/mock/second-factor and /api/mock/operator change who
 * is signed in, /api/mock/broken and /api/mock/empty what the lists answer.
 */

import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { extname, join, normalize } from "node:path"
import type { Row } from "./mock-data.ts"
import * as data from "./mock-data.ts"

const port = Number(process.env.PORT ?? 8000)
const site = process.argv.includes("--site") ? join(import.meta.dirname, "../build") : null
let mode = "operator"

const resources: Record<string, Row[]> = {
  users: data.users,
  companies: data.companies,
  "check-runs": data.checkRuns,
  deliveries: data.deliveries,
  payments: data.payments,
  discrepancies: data.discrepancies,
  refunds: data.refunds,
  tickets: data.tickets,
  "contact-messages": data.contactMessages,
  plugins: data.plugins,
  incidents: data.incidents,
  actions: data.actions,
}

const objects: Record<string, () => unknown> = {
  session: () => ({
    userId: data.users[0]?.id,
    email: "operator@prawko.example",
    secondFactor: mode === "second-factor" ? "setup_required" : "not_required",
    expiresAt: new Date(Date.now() + 1_800_000).toISOString(),
  }),
  stats: () => ({
    totalUsers: data.users.length,
    newUsersToday: 2,
    activeSubscriptions: data.users.filter(({ status }) => status === "active").length,
    actionsToday: 17,
  }),
  charts: () => data.charts,
  "actions/verification": () => ({
    checkedAt: new Date(Date.now() - 60_000_000).toISOString(),
    rows: data.actions.length,
    brokenAt: null,
  }),
  "deliveries/summary": () => ({
    waiting: count(data.deliveries, "waiting"),
    failed: count(data.deliveries, "failed"),
    undelivered: 3,
    byReason: [
      { medium: "email", reason: "timeout", count: 9 },
      { medium: "sms", reason: "address_rejected", count: 4 },
    ],
    oldestWaitingAt: new Date(Date.now() - 1_500_000).toISOString(),
  }),
}

const count = (rows: Row[], state: string) => rows.filter((row) => row.state === state).length

/** What an act changes in its record. */
const changes: Record<string, object> = {
  suspend: { suspended: true },
  resume: { suspended: false, paused: false },
  pause: { paused: true },
  approve: { reviewState: "approved", quarantined: 0 },
  reject: { reviewState: "rejected", quarantined: 0 },
  resend: { state: "waiting" },
  resolve: { resolvedAt: new Date().toISOString(), resolutionNote: "Wyjaśniona" },
  answer: { state: "answered" },
  close: { state: "closed", closedAt: new Date().toISOString() },
  reopen: { state: "open" },
}

type Body = Record<string, unknown>
type Answer = { status?: number; body: unknown; headers?: Record<string, string> }
const refusal = (status: number, error: string, message: string): Answer => ({
  status,
  body: { error, message },
})
const missing = refusal(404, "not_found", "Nie znaleziono.")

function answerCall(method: string, path: string, query: URLSearchParams, body: Body): Answer {
  if (mode === "visitor") return refusal(401, "auth_required", "Musisz się zalogować.")
  if (mode === "customer") return refusal(403, "auth_forbidden", "Nie masz uprawnień.")
  if (mode === "second-factor" && path !== "session") {
    return refusal(403, "second_factor_setup_required", "Włącz drugi składnik.")
  }
  if (String(body.reason ?? "").startsWith("błąd")) {
    return refusal(422, "invalid_reason", "Tego powodu nie przyjmujemy.")
  }
  const object = objects[path]
  if (method === "GET" && object) return { body: object() }
  if (mode === "broken" && method === "GET") {
    return refusal(500, "server_error", "Wystąpił błąd serwera. Spróbuj ponownie później.")
  }

  const [resource = "", id, act] = path.split("/").map(decodeURIComponent)
  const rows = resources[resource]
  if (method === "POST") return answerAct(resource, id, act, body)
  if (!rows) return missing
  if (!id) return answerList(resource, mode === "empty" ? [] : rows, query)
  if (act === "history") return { body: data.history }
  if (act === "changes") return { body: data.quarantinedChanges }

  const row = rows.find((one) => String(one.id) === id)
  if (!row) return missing
  if (method === "PUT") Object.assign(row, body)
  if (method === "DELETE") rows.splice(rows.indexOf(row), 1)
  return { body: row }
}

function answerAct(resource: string, id?: string, act = id, body?: Body): Answer {
  if (resource === "impersonate") return { body: { ok: true } }
  if (resource === "statements" && id === "preview") return { body: data.statement }
  if (resource === "statements") return { body: book((body?.lines ?? []) as number[]) }
  const row =
    resources[resource]?.find((one) => String(one.id) === id) ?? resources[resource]?.[0] ?? null
  if (!row || !act) return missing
  if (act === "export") {
    return {
      body: row,
      headers: { "Content-Disposition": `attachment; filename="prawko-${id}.json"` },
    }
  }
  return { body: Object.assign(row, changes[act]) }
}

/** One of the chosen lines was booked by somebody else in the meantime. */
function book(lines: number[]) {
  const booked = lines.slice(1).map((index) => ({
    index,
    reference: `BANK${index}`,
    result: index > 1 ? "unmatched" : "recorded",
  }))
  return { booked, refused: lines.slice(0, 1).map((index) => ({ index, outcome: "duplicate" })) }
}

function answerList(resource: string, all: Row[], query: URLSearchParams): Answer {
  const [field = "id", order = "ASC"] = JSON.parse(query.get("sort") ?? "[]")
  const [first = 0, last = 9] = JSON.parse(query.get("range") ?? "[]")
  const filter: Record<string, unknown> = JSON.parse(query.get("filter") ?? "{}")
  if (resource === "check-runs") goOn(all[0])

  const rows = all
    .filter((row) => Object.entries(filter).every(([name, value]) => fits(row, name, value)))
    .sort((one, other) => compare(one[field], other[field]) * (order === "ASC" ? 1 : -1))
  const page = rows.slice(first, last + 1)
  const range = page.length > 0 ? `${first}-${first + page.length - 1}` : "*"
  return { body: page, headers: { "Content-Range": `${resource} ${range}/${rows.length}` } }
}

function fits(row: Row, name: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.includes(row[name])
  if (name === "q") return JSON.stringify(row).toLowerCase().includes(String(value).toLowerCase())
  if (name === "open") return ((row.closedAt ?? row.resolvedAt ?? null) === null) === value
  return row[name] === value
}

const compare = (one: unknown, other: unknown) =>
  typeof one === "number" && typeof other === "number"
    ? one - other
    : String(one).localeCompare(String(other), "pl")

/** The run of the day checks some more drivers each time it is looked at. */
function goOn(run: Row | undefined): void {
  if (!run || run.paused || run.finishedAt) return
  const step = Math.min(11, Number(run.planned) - Number(run.unresolved) - Number(run.done))
  Object.assign(run, { done: Number(run.done) + step, valid: Number(run.valid) + step })
}

const types: Record<string, string> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
}

function serveFile(path: string, response: ServerResponse): void {
  if (!site || !path.startsWith("/admin")) {
    response.writeHead(site ? 200 : 404, { "Content-Type": "text/html; charset=utf-8" })
    response.end(`<p>${path}</p>`)
    return
  }
  const requested = normalize(path).replace(/^\/admin\/?/, "")
  const name = extname(requested) ? requested : "index.html"
  const nonce = randomBytes(16).toString("base64url")
  const content = readFileSync(join(site, name))
  response.writeHead(200, {
    "Content-Type": types[extname(name)] ?? "application/octet-stream",
    "Content-Security-Policy": `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  })
  const isPage = name === "index.html"
  response.end(isPage ? content.toString().replaceAll("__CSP_NONCE__", nonce) : content)
}

async function readJson(request: IncomingMessage): Promise<Body> {
  let text = ""
  for await (const part of request) text += part
  return text ? JSON.parse(text) : {}
}

async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://mock")
  if (pathname.startsWith("/api/mock/")) {
    mode = pathname.slice("/api/mock/".length)
    response.writeHead(303, { Location: "/admin/" }).end()
    return
  }
  if (!pathname.startsWith("/api/")) return serveFile(pathname, response)

  const answer = pathname.startsWith("/api/admin/")
    ? answerCall(
        request.method ?? "GET",
        pathname.slice("/api/admin/".length),
        searchParams,
        await readJson(request),
      )
    : { body: { ok: true } }
  const headers = { "Content-Type": "application/json", ...answer.headers }
  response.writeHead(answer.status ?? 200, headers).end(JSON.stringify(answer.body))
}

createServer((request, response) => {
  handleRequest(request, response).catch((error: unknown) => {
    console.error(error)
    response.writeHead(500).end()
  })
}).listen(port, "127.0.0.1", () => console.log(`mock API on http://127.0.0.1:${port}`))
