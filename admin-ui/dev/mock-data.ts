/** The mock's customers, runs, messages and payments: made up, always the same, some very long. */

export type Row = { id: string | number; [field: string]: unknown }

const DAY_MS = 86_400_000
const now = Date.now()

/** A generator of numbers below 1, the same ones on every start. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const random = createRandom(11)
const below = (limit: number) => Math.floor(random() * limit)
const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
const ago = (days: number) => new Date(now - days * DAY_MS).toISOString()
const day = (daysAgo: number) => ago(daysAgo).slice(0, 10)
const uuid = (kind: number, index: number) =>
  `0199${kind.toString(16).padStart(4, "0")}-0000-7000-8000-${index.toString(16).padStart(12, "0")}`

const trades = ["Transport", "Spedycja", "Logistyka", "Przewozy", "Trans", "Usługi Transportowe"]
const surnames = [
  "Wiśniewski",
  "Kowalczyk",
  "Zieliński",
  "Szymański",
  "Woźniak",
  "Dąbrowski",
  "Kozłowski",
  "Jankowski",
  "Mazur",
  "Krawczyk",
  "Brzęczyszczykiewicz",
  "Gżegżółka",
]
const firstNames = ["Jan", "Anna", "Piotr", "Katarzyna", "Michał", "Ewa", "Ryszard", "Łucja"]
const forms = ["sp. z o.o.", "S.A.", "sp.j.", "i Synowie", "sp. z o.o. sp.k."]
const plain = (text: string) =>
  text
    .replaceAll("ł", "l")
    .replaceAll("Ł", "L")
    .normalize("NFD")
    .replace(/[^a-zA-Z0-9]/g, "")
    .toLowerCase()

const longName =
  "Przedsiębiorstwo Wielobranżowe Transportu Międzynarodowego i Spedycji „Szybki Wóz” Brzęczyszczykiewicz i Wspólnicy spółka z ograniczoną odpowiedzialnością spółka komandytowa"

export const companies: Row[] = Array.from({ length: 312 }, (_, index) => {
  const surname = pick(surnames)
  const name = index === 2 ? longName : `${pick(trades)} ${surname} ${pick(forms)}`
  const status = pick(["active", "active", "active", "trial", "expired", "cancelled", "inactive"])
  const driverLimit = status === "inactive" ? 0 : 5 * (1 + below(12))
  return {
    id: uuid(2, index),
    name,
    taxId: String(5_000_000_000 + below(999_999_999)),
    email:
      index === 2
        ? "ksiegowosc.i.rozliczenia.miedzynarodowe@szybki-woz-transport-brzeczyszczykiewicz.example"
        : `${plain(pick(firstNames))}.${plain(surname)}${index}@${plain(surname)}-trans.example`,
    createdAt: ago(index * 1.3 + random()),
    status,
    driverLimit,
    driversCount: below(driverLimit + 1),
    endDate: status === "inactive" ? null : day(below(60) - 45),
    suspended: index % 41 === 7,
  }
})

export const users: Row[] = companies.map((company, index) => ({
  id: uuid(1, index),
  email: index === 0 ? "operator@prawko.example" : company.email,
  createdAt: company.createdAt,
  emailVerified: index % 9 !== 4,
  isAdmin: index === 0,
  language: "pl",
  companyId: company.id,
  companyName: company.name,
  subscriptions: company.endDate
    ? [
        {
          id: uuid(3, index),
          status: company.status,
          driverLimit: company.driverLimit,
          endDate: `${company.endDate}T22:59:59+00:00`,
          isTrial: company.status === "trial",
          cancelled: company.status === "cancelled",
        },
      ]
    : [],
  status: company.status === "active" || company.status === "trial" ? "active" : "inactive",
  driverLimit: company.driverLimit,
  driversCount: company.driversCount,
}))

const activityTypes = [
  "signed_in",
  "driver_added",
  "driver_changed",
  "driver_checked",
  "settings_changed",
  "order_placed",
  "sign_in_failed",
]

export const history = {
  activity: Array.from({ length: 64 }, (_, index) => ({
    id: uuid(4, index),
    activityType: pick(activityTypes),
    createdAt: ago(index * 0.7),
    details: index % 3 === 0 ? { driver: uuid(5, index), limit: 15 } : {},
    ipAddress: `192.0.2.${1 + below(250)}`,
  })),
  subscriptions: [
    ["active", "cancelled", "Anulowana przez klienta, dostęp do końca okresu"],
    ["expired", "active", "Opłacono kolejny okres"],
    ["active", "expired", "Koniec okresu"],
    ["trial", "active", "Opłacono pierwszy okres"],
    [null, "trial", "Rozpoczęto okres próbny"],
  ].map(([oldStatus, newStatus, note], index) => ({
    id: uuid(6, index),
    changedAt: ago(30 * index + 3),
    oldStatus,
    newStatus,
    oldEndDate: oldStatus ? day(30 * index) : null,
    newEndDate: day(30 * index - 30),
    note,
  })),
  verifications: Array.from({ length: 37 }, (_, index) => {
    const status = pick(["valid", "valid", "valid", "invalid", "attention", "not_found"])
    return {
      id: uuid(7, index),
      verifiedAt: ago(index),
      driverFirstName: pick(firstNames),
      driverLastName: pick(surnames),
      status,
      mayDrive: { valid: "yes", invalid: "no" }[status] ?? "check",
      documentStatus:
        { valid: "Wydany", invalid: "Zatrzymany", attention: "Utracony" }[status] ?? null,
      categories: ["B", "C", "C+E"].slice(0, 1 + below(3)),
      verificationResponse: {
        dokumentPotwierdzajacyUprawnienia: {
          stanDokumentu: { stanDokumentu: { kod: "W", wartosc: "Wydany" } },
          dataWaznosci: "2031-04-12",
          organWydajacyDokument: { wartosc: "PREZYDENT M.ST. WARSZAWY" },
        },
      },
    }
  }),
}

export const checkRuns: Row[] = Array.from({ length: 90 }, (_, index) => {
  const planned = 14_200 - index * 19
  const unresolved = index === 0 ? 37 : below(14)
  const done = index === 0 ? 12_960 : planned - unresolved
  const invalid = 20 + below(14)
  const attention = 9 + below(6)
  const notFound = below(7)
  return {
    id: day(index),
    day: day(index),
    startedAt: ago(index + 0.05),
    finishedAt: index === 0 ? null : ago(index + 0.02),
    planned,
    done,
    valid: done - invalid - attention - notFound,
    invalid,
    attention,
    notFound,
    unresolved,
    quarantined: index === 0 ? 128 : 0,
    reviewState: index === 0 ? "pending" : index === 12 ? "approved" : null,
    errors:
      index === 0
        ? [
            { kind: "unavailable", count: 29 },
            { kind: "rate_limited", count: 8 },
          ]
        : [],
    ratePerMinute: 214,
    expectedEndAt: index === 0 ? new Date(now + 6 * 60_000).toISOString() : null,
    paused: false,
    activeWorkers: index === 0 ? 2 : 0,
    stalled: false,
  }
})

export const quarantinedChanges = companies.slice(1, 19).map(({ id, name }) => ({
  id,
  companyId: id,
  companyName: name,
  notFound: 1,
  attention: 2,
  total: 3,
}))

const states = ["delivered", "delivered", "sent", "waiting", "failed"]

export const deliveries: Row[] = Array.from({ length: 143 }, (_, index) => {
  const state = pick(states)
  const company = pick(companies)
  const medium = pick(["email", "email", "sms"])
  return {
    id: uuid(8, index),
    companyId: company.id,
    companyName: company.name,
    medium,
    kind: pick(["notice", "email_code", "transfer_details", "ticket_answer", "operator"]),
    state,
    attempts: state === "failed" ? 8 : 1 + below(2),
    createdAt: ago(index * 0.2),
    nextAttemptAt: state === "waiting" ? ago(-0.01) : null,
    reason: state === "failed" ? pick(["timeout", "address_rejected", "transient"]) : null,
    resendable: state === "failed",
    carrier: state === "waiting" ? null : medium === "sms" ? "smsapi" : "smtp",
  }
})

export const payments: Row[] = Array.from({ length: 96 }, (_, index) => ({
  id: uuid(9, index),
  companyId: companies[index + 1]?.id,
  companyName: companies[index + 1]?.name,
  provider: pick(["przelewy24", "stripe", "transfer"]),
  method: pick(["card", "blik", "przelewy24", "transfer"]),
  amountGrosze: 6_000 + 1_230 * below(40),
  currency: "PLN",
  state: pick(["paid", "paid", "paid", "open", "failed", "expired", "refunded", "mismatched"]),
  reference: `PRW${100_200 + index}`,
  createdAt: ago(index * 0.6),
}))

export const discrepancies: Row[] = payments.slice(0, 14).map((payment, index) => ({
  id: uuid(10, index),
  kind: pick(["paid_twice", "wrong_amount", "unknown_payment", "void_order"]),
  summary: "Wpłata 123,00 zł, oczekiwano 246,00 zł",
  detectedAt: ago(index * 1.7),
  provider: payment.provider,
  reference: payment.reference,
  refundedGrosze: null,
  refundable: index % 2 === 0,
  amountGrosze: payment.amountGrosze,
  currency: "PLN",
  companyId: payment.companyId,
  companyName: payment.companyName,
  resolvedAt: index > 3 ? ago(index) : null,
  resolutionNote: index > 3 ? "Klient potwierdził, zwrot przelewem." : null,
}))

export const refunds: Row[] = payments.slice(20, 26).map((payment, index) => ({
  id: uuid(11, index),
  paymentId: payment.id,
  companyName: payment.companyName,
  amountGrosze: payment.amountGrosze,
  provider: payment.provider,
  reference: payment.reference,
  currency: "PLN",
  state: pick(["requested", "refunded", "elsewhere"]),
  createdAt: ago(index * 2),
}))

const messages = (kind: number, subject: string | null): Row[] =>
  companies.slice(kind, kind + 23).map((company, index) => ({
    id: uuid(kind, index),
    createdAt: ago(index * 0.9),
    sender: `${pick(firstNames)} ${pick(surnames)}`,
    email: company.email,
    companyName: company.name,
    subject,
    message:
      "Dzień dobry,\nod wczoraj nie widzę w panelu dwóch kierowców, których dodałem w piątek. Czy mogą Państwo sprawdzić, co się z nimi stało? Proszę o telefon po godzinie 14.\nPozdrawiam",
    state: index < 5 ? "open" : pick(["answered", "closed"]),
    probableSpam: index === 2,
    answeredAt: null,
    closedAt: null,
  }))

export const tickets = messages(12, "Brak kierowców na liście")
export const contactMessages = messages(13, null)

const plugin = (kind: string, name: string, fields = {}): Row => ({
  id: `${kind}:${name}`,
  kind,
  name,
  version: "1.0.0",
  configured: true,
  chosen: true,
  healthy: true,
  lastError: null,
  lastErrorAt: null,
  pausedUntil: null,
  ...fields,
})

export const plugins: Row[] = [
  plugin("register", "upki"),
  plugin("channel", "smtp"),
  plugin("channel", "sendgrid", { configured: false, chosen: false, healthy: null }),
  plugin("channel", "smsapi", {
    healthy: false,
    lastError: "account_rejected: 101 Authorization failed",
    lastErrorAt: ago(0.02),
    pausedUntil: ago(-0.01),
  }),
  plugin("payments", "przelewy24"),
  plugin("payments", "stripe", {
    healthy: false,
    lastError: "timeout",
    lastErrorAt: ago(0.1),
  }),
  plugin("payments", "transfer"),
  plugin("invoices", "ksef"),
]

export const incidents: Row[] = [
  ["run_unresolved", "0.9 %", "37 of 4200 drivers"],
  ["channel_refused", "smsapi", "101 Authorization failed"],
  ["mass_change", day(0), "128 changes"],
  ["paid_twice", "PRW100200", "12300 PLN"],
  ["invoice_stuck", "FV/2026/11/0042", "queued for 26 hours"],
].map(([kind, key, detail], index) => ({
  id: uuid(14, index),
  kind,
  key,
  detail,
  openedAt: ago(index + 0.03),
  closedAt: index > 2 ? ago(index - 0.5) : null,
  mailedAt: ago(index + 0.02),
}))

export const actions: Row[] = Array.from({ length: 58 }, (_, index) => ({
  id: uuid(15, index),
  sequence: 58 - index,
  createdAt: ago(index * 0.4),
  adminEmail: "operator@prawko.example",
  targetEmail: users[index + 1]?.email,
  companyName: users[index + 1]?.companyName,
  actionType: pick(["history_viewed", "user_updated", "impersonation_started", "company_extended"]),
  reason: pick(["Prośba klienta, telefon", "Zgłoszenie 1142", "Nieudana płatność kartą"]),
  details: index % 2 ? { driver_limit: 15, end_date: day(-30) } : { days: 30 },
}))

export const charts = {
  signUps: Array.from({ length: 90 }, (_, index) => ({ day: day(89 - index), count: below(9) })),
  active: Array.from({ length: 90 }, (_, index) => ({
    day: day(89 - index),
    count: 120 + index + below(4),
  })),
  revenue: Array.from({ length: 12 }, (_, index) => ({
    month: day(30 * (11 - index)).slice(0, 7),
    grosze: 1_200_000 + index * 140_000 + below(90_000),
  })),
  churn: Array.from({ length: 12 }, (_, index) => ({
    month: day(30 * (11 - index)).slice(0, 7),
    started: 12 + below(14),
    ended: 2 + below(7),
  })),
  outcomes: checkRuns.toReversed(),
}

export const statement = {
  format: "mt940",
  lines: [
    ["match", 24_600, "PRW100201 abonament", 24_600],
    ["match", 12_300, "oplata PRW100205", 12_300],
    ["amount_differs", 12_300, "PRW100207", 24_600],
    ["unknown", 5_000, "za paliwo, faktura 12/2026, proszę o pilne potwierdzenie odbioru", null],
    ["duplicate", 24_600, "PRW100190", 24_600],
    ["outgoing", -1_999, "prowizja za prowadzenie rachunku", null],
  ].map(([outcome, amountGrosze, title, expectedGrosze], index) => ({
    index,
    bookedOn: day(1),
    amountGrosze,
    currency: "PLN",
    payer: index === 5 ? null : companies[index + 1]?.name,
    title,
    matchedReference: expectedGrosze ? `PRW10020${index}` : null,
    companyName: expectedGrosze ? companies[index + 1]?.name : null,
    expectedGrosze,
    outcome,
    bookable: outcome !== "duplicate" && outcome !== "outgoing",
  })),
}
