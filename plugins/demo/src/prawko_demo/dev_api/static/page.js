// The page of the developer tools: each button sends one request of the API.

const KINDS =
  "http_400 http_401 http_403 http_404 http_429 http_500 http_503 refused reset silence drip html " +
  "empty null object array cut wrong_types redirect huge bad_gzip"
const REFRESH_MS = 2000
const SHOWN_PAYMENTS = 5
const HOUR_MS = 3_600_000
const WARSAW = { timeZone: "Europe/Warsaw" }
const SENT = { ...WARSAW, day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }

const element = (name) => document.querySelector(`[data-${name}]`)
const statusLine = element("answer")
let clock = { offset: 0 }
let shownMessages = ""
let shownPayments = ""

async function call(method, path, body) {
  const options = { method, headers: { "Content-Type": "application/json" } }
  if (body !== undefined) options.body = JSON.stringify(body)
  const response = await fetch(`/dev${path}`, options)
  const content = await response.json()
  if (!response.ok) throw new Error(content.message)
  return content
}

// `action` returns the text for the status line.
async function run(action, button) {
  if (button) button.disabled = true
  statusLine.textContent = ""
  try {
    const text = await action()
    statusLine.classList.remove("refused")
    statusLine.textContent = text
  } catch (error) {
    statusLine.classList.add("refused")
    statusLine.textContent = error.message
  } finally {
    if (button) button.disabled = false
    refresh()
  }
}

function addAction(name, type, action) {
  element(name).addEventListener(type, (event) => {
    event.preventDefault()
    const target = event.currentTarget
    const button = target instanceof HTMLFormElement ? event.submitter : target
    run(() => action(target), button)
  })
}

const productNow = () => new Date(Date.now() + clock.offset * 1000)

function tick() {
  element("now").textContent = productNow().toLocaleString("en-GB", {
    ...WARSAW, dateStyle: "full", timeStyle: "medium",
  })
}

function showClock() {
  const hours = Math.round(clock.offset / 36) / 100
  element("offset").textContent = hours ? `${hours > 0 ? "+" : ""}${hours} hours from the system time` : "System time, in Warsaw"
  tick()
}

// Converts a wall-clock time in Warsaw to an instant. The offset depends on the instant, so it is
// computed twice.
function instantOf(wall) {
  const asUtc = Date.parse(`${wall}Z`)
  const ahead = (instant) =>
    Date.parse(`${new Date(instant).toLocaleString("sv-SE", WARSAW).replace(" ", "T")}Z`) - instant
  const guess = asUtc - ahead(asUtc)
  return new Date(asUtc - ahead(guess))
}

const setClock = async (now) => {
  clock = await call("PUT", "/clock", { now })
  return "The clock has moved."
}

function showMessages(messages) {
  const list = element("messages")
  const open = new Set([...list.querySelectorAll("details[open]")].map((d) => d.dataset.id))
  list.replaceChildren(...messages.map((message) => {
    const item = element("message").content.cloneNode(true)
    const part = (name) => item.querySelector(`[data-${name}]`)
    for (const name of ["channel", "to", "text", "code"]) part(name).textContent = message[name] ?? ""
    part("subject").textContent = message.subject || message.text
    part("sent").textContent = new Date(message.createdAt).toLocaleString("en-GB", SENT)
    if (message.link) {
      part("link").textContent = message.link
      part("link").href = message.link
    }
    const details = item.querySelector("details")
    details.hidden = !message.subject
    details.dataset.id = message.id
    details.open = open.has(message.id)
    return item
  }))
  element("no-messages").hidden = messages.length > 0
}

function showPayments(payments) {
  element("payments").replaceChildren(...payments.slice(0, SHOWN_PAYMENTS).map((payment) => {
    const item = element("payment").content.cloneNode(true)
    const part = (name) => item.querySelector(`[data-${name}]`)
    const { reason, state, charges } = payment
    part("state").textContent = reason && reason !== state ? `${state}, ${reason}` : state
    part("gross").textContent = `${(payment.gross / 100).toFixed(2)} ${payment.currency}`
    part("method").textContent = charges ? `${payment.method}, charged ${charges}×` : payment.method
    part("title").textContent = payment.title
    part("link").href = payment.url
    return item
  }))
  element("no-payments").hidden = payments.length > 0
}

async function refresh() {
  try {
    const [messages, now, calls, payments] = await Promise.all([
      call("GET", "/mailbox"), call("GET", "/clock"), call("GET", "/register/calls"),
      call("GET", "/payments"),
    ])
    clock = now
    showClock()
    element("calls").textContent = calls.count
    const messageIds = JSON.stringify(messages.map((message) => message.id))
    if (messageIds !== shownMessages) showMessages(messages)
    shownMessages = messageIds
    const newPayments = JSON.stringify(payments)
    if (newPayments !== shownPayments) showPayments(payments)
    shownPayments = newPayments
  } catch (error) {
    statusLine.classList.add("refused")
    statusLine.textContent = `The demo does not statusLine. ${error.message}`
  }
}

function showReport(figures) {
  const list = element("report")
  list.replaceChildren(...Object.entries(figures).map(([name, figure]) => {
    const pair = document.createElement("div")
    pair.append(document.createElement("dt"), document.createElement("dd"))
    pair.firstChild.textContent = name
    pair.lastChild.textContent = Array.isArray(figure) ? figure.join(", ") || "none" : figure
    return pair
  }))
  list.hidden = false
}

for (const button of document.querySelectorAll("[data-hours]")) {
  button.addEventListener("click", () =>
    run(() => setClock(new Date(productNow().getTime() + button.dataset.hours * HOUR_MS).toISOString()), button))
}
addAction("back", "click", () => setClock(null))
addAction("move", "submit", (form) => setClock(instantOf(form.wall.value).toISOString()))
addAction("empty-mailbox", "click", async () => {
  await call("DELETE", "/mailbox")
  return "The mailbox is empty."
})
addAction("daily-check", "click", async () => {
  showReport(await call("POST", "/daily-check"))
  return "The daily check is done."
})
addAction("jobs", "click", async () => {
  showReport(await call("POST", "/jobs"))
  return "The periodic jobs have run."
})
addAction("reset-calls", "click", async () => {
  await call("DELETE", "/register/calls")
  return "The number of queries is 0."
})
addAction("document", "submit", async (form) => {
  const { serial, state, reason, expiryDate, ...names } = Object.fromEntries(new FormData(form))
  const document = { ...names, state: { wartosc: state } }
  if (reason) document.reasons = [{ wartosc: reason }]
  if (expiryDate) document.expiryDate = expiryDate
  await call("PUT", `/register/documents/${serial}`, document)
  return `The register has ${serial}.`
})
addAction("delete", "click", async (button) => {
  const serial = button.form.serial.value
  const result = await call("DELETE", `/register/documents/${encodeURIComponent(serial)}`)
  return result.forgotten ? `${serial} is deleted.` : `The register had no document ${serial}.`
})
addAction("press", "submit", async (form) => {
  const { url, result, times } = Object.fromEntries(new FormData(form))
  const payment = await call("POST", "/payments", { url, result, times: Number(times) })
  return `The payment is ${payment.state}; the webhook answered ${payment.answers.join(", ")}.`
})
addAction("charges", "submit", async (form) => {
  const times = form.times.value ? Number(form.times.value) : null
  const behaviour = await call("PUT", "/payments/charges", { result: form.result.value, times })
  return `Result of the next charges: ${behaviour.result}.`
})
addAction("unknown", "submit", async (form) => {
  await call("PUT", "/register/unknown", { mode: form.mode.value })
  return "The answer is set."
})
addAction("faults", "submit", async (form) => {
  const number = (field) => (field.value ? Number(field.value) : null)
  const kind = form.kind.value || null
  await call("PUT", "/register/faults", { kind, times: number(form.times), retryAfter: number(form.retryAfter) })
  return kind ? `The register fails with ${kind}.` : "The register has no fault."
})

element("faults").kind.append(...KINDS.split(" ").map((kind) => new Option(kind)))
refresh()
setInterval(refresh, REFRESH_MS)
setInterval(tick, 1000)
