// The doors by hand: every button is one call that a script could make as well.

const KINDS =
  "http_400 http_401 http_403 http_404 http_429 http_500 http_503 refused reset silence drip html " +
  "empty null object array cut wrong_types redirect huge bad_gzip"
const REFRESH_MS = 2000
const SHOWN_PAYMENTS = 5
const HOUR_MS = 3_600_000
const WARSAW = { timeZone: "Europe/Warsaw" }
const SENT = { ...WARSAW, day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }

const find = (name) => document.querySelector(`[data-${name}]`)
const answer = find("answer")
let clock = { offset: 0 }
let shown = ""
let shownPayments = ""

async function call(method, path, body) {
  const options = { method, headers: { "Content-Type": "application/json" } }
  if (body !== undefined) options.body = JSON.stringify(body)
  const response = await fetch(`/dev${path}`, options)
  const said = await response.json()
  if (!response.ok) throw new Error(said.message)
  return said
}

async function act(what, button) {
  if (button) button.disabled = true
  answer.textContent = ""
  try {
    const said = await what()
    answer.classList.remove("refused")
    answer.textContent = said
  } catch (error) {
    answer.classList.add("refused")
    answer.textContent = error.message
  } finally {
    if (button) button.disabled = false
    refresh()
  }
}

function on(name, event, what) {
  find(name).addEventListener(event, (happened) => {
    happened.preventDefault()
    const target = happened.currentTarget
    const button = target instanceof HTMLFormElement ? happened.submitter : target
    act(() => what(target), button)
  })
}

const productNow = () => new Date(Date.now() + clock.offset * 1000)

function tick() {
  find("now").textContent = productNow().toLocaleString("en-GB", {
    ...WARSAW, dateStyle: "full", timeStyle: "medium",
  })
}

function showClock() {
  const hours = Math.round(clock.offset / 36) / 100
  find("offset").textContent = hours ? `${hours > 0 ? "+" : ""}${hours} hours from this machine’s` : "Warsaw time, as on this machine"
  tick()
}

// The offset of Warsaw at a wall-clock time, found by asking what that instant looks like there.
function instantOf(wall) {
  const asUtc = Date.parse(`${wall}Z`)
  const ahead = (instant) =>
    Date.parse(`${new Date(instant).toLocaleString("sv-SE", WARSAW).replace(" ", "T")}Z`) - instant
  const guess = asUtc - ahead(asUtc)
  return new Date(asUtc - ahead(guess))
}

const moveTo = async (now) => {
  clock = await call("PUT", "/clock", { now })
  return "The clock has moved."
}

function showMessages(messages) {
  const list = find("messages")
  const open = new Set([...list.querySelectorAll("details[open]")].map((d) => d.dataset.id))
  list.replaceChildren(...messages.map((message) => {
    const item = find("message").content.cloneNode(true)
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
  find("no-messages").hidden = messages.length > 0
}

function showPayments(payments) {
  find("payments").replaceChildren(...payments.slice(0, SHOWN_PAYMENTS).map((payment) => {
    const item = find("payment").content.cloneNode(true)
    const part = (name) => item.querySelector(`[data-${name}]`)
    const { reason, state, charges } = payment
    part("state").textContent = reason && reason !== state ? `${state}, ${reason}` : state
    part("gross").textContent = `${(payment.gross / 100).toFixed(2)} ${payment.currency}`
    part("method").textContent = charges ? `${payment.method}, charged ${charges}×` : payment.method
    part("title").textContent = payment.title
    part("link").href = payment.url
    return item
  }))
  find("no-payments").hidden = payments.length > 0
}

async function refresh() {
  try {
    const [messages, now, calls, payments] = await Promise.all([
      call("GET", "/mailbox"), call("GET", "/clock"), call("GET", "/register/calls"),
      call("GET", "/payments"),
    ])
    clock = now
    showClock()
    find("calls").textContent = calls.count
    const seen = JSON.stringify(messages.map((message) => message.id))
    if (seen !== shown) showMessages(messages)
    shown = seen
    const paid = JSON.stringify(payments)
    if (paid !== shownPayments) showPayments(payments)
    shownPayments = paid
  } catch (error) {
    answer.classList.add("refused")
    answer.textContent = `The demo does not answer. ${error.message}`
  }
}

function report(figures) {
  const list = find("report")
  list.replaceChildren(...Object.entries(figures).map(([name, figure]) => {
    const pair = document.createElement("div")
    pair.append(document.createElement("dt"), document.createElement("dd"))
    pair.firstChild.textContent = name
    pair.lastChild.textContent = Array.isArray(figure) ? figure.join(", ") || "none" : figure
    return pair
  }))
  list.hidden = false
}

for (const button of document.querySelectorAll("[data-go]")) {
  button.addEventListener("click", () =>
    act(() => moveTo(new Date(productNow().getTime() + button.dataset.go * HOUR_MS).toISOString()), button))
}
on("back", "click", () => moveTo(null))
on("move", "submit", (form) => moveTo(instantOf(form.wall.value).toISOString()))
on("empty-mailbox", "click", async () => {
  await call("DELETE", "/mailbox")
  return "The mailbox is empty."
})
on("daily-check", "click", async () => {
  report(await call("POST", "/daily-check"))
  return "The daily check is done."
})
on("jobs", "click", async () => {
  report(await call("POST", "/jobs"))
  return "The periodic jobs have run."
})
on("forget-calls", "click", async () => {
  await call("DELETE", "/register/calls")
  return "Counting from nought."
})
on("document", "submit", async (form) => {
  const { serial, state, reason, expiryDate, ...names } = Object.fromEntries(new FormData(form))
  const document = { ...names, state: { wartosc: state } }
  if (reason) document.reasons = [{ wartosc: reason }]
  if (expiryDate) document.expiryDate = expiryDate
  await call("PUT", `/register/documents/${serial}`, document)
  return `The register knows ${serial}.`
})
on("forget", "click", async (button) => {
  const serial = button.form.serial.value
  const said = await call("DELETE", `/register/documents/${encodeURIComponent(serial)}`)
  return said.forgotten ? `The register has forgotten ${serial}.` : `Nobody had put ${serial} there.`
})
on("press", "submit", async (form) => {
  const { url, result, times } = Object.fromEntries(new FormData(form))
  const said = await call("POST", "/payments", { url, result, times: Number(times) })
  return `The payment is ${said.state}; the webhook answered ${said.answers.join(", ")}.`
})
on("charges", "submit", async (form) => {
  const times = form.times.value ? Number(form.times.value) : null
  const mood = await call("PUT", "/payments/charges", { result: form.result.value, times })
  return `The next charges: ${mood.result}.`
})
on("unknown", "submit", async (form) => {
  await call("PUT", "/register/unknown", { mode: form.mode.value })
  return "Set."
})
on("faults", "submit", async (form) => {
  const number = (field) => (field.value ? Number(field.value) : null)
  const kind = form.kind.value || null
  await call("PUT", "/register/faults", { kind, times: number(form.times), retryAfter: number(form.retryAfter) })
  return kind ? `The register fails with ${kind}.` : "The register is well."
})

find("faults").kind.append(...KINDS.split(" ").map((kind) => new Option(kind)))
refresh()
setInterval(refresh, REFRESH_MS)
setInterval(tick, 1000)
