/** Companies for development of the screens. Nothing here resembles a real person or document. */

import type {
  DriverOut,
  EpisodeOut,
  NotificationOut,
  SessionOut,
  SubscriptionOut,
  UserOut,
  VerificationOut,
} from "../src/api/types.gen.ts"
import { createInvoice, createOrder } from "./payments.ts"
import { daysAgo, newId, type Scenario } from "./scenario.ts"

const company = {
  companyName: "Spedycja Przykładowa sp. z o.o.",
  taxId: "5261040828",
  street: "ul. Długa 5/7",
  postalCode: "00-950",
  city: "Warszawa",
}
const longCompany = {
  ...company,
  companyName:
    "Przedsiębiorstwo Transportowo-Spedycyjno-Usługowe „Konstantynopolitańczykowianeczka” Brzęczyszczykiewicz i Wspólnicy spółka komandytowo-akcyjna",
  street: "ul. Generała Michała Karaszewicza-Tokarzewskiego 123B/45",
  city: "Sobienie Kiełczewskie Drugie",
}
const noCompany = { companyName: "", taxId: "", street: "", postalCode: "", city: "" }

function user(changes: Partial<UserOut> = {}): UserOut {
  return {
    email: "firma@example.test",
    phoneNumber: null,
    phoneVerified: false,
    emailNotificationsEnabled: true,
    smsNotificationsEnabled: false,
    companyName: "Spedycja Przykładowa",
    isAdmin: false,
    emailVerified: true,
    createdAt: daysAgo(40),
    subscriptions: [],
    language: "pl",
    clockOffset: 0,
    pendingDocuments: [],
    emailProblem: null,
    impersonator: null,
    listView: { pageSize: 10, denseRows: false },
    plannedDrivers: null,
    role: "owner",
    acts: [],
    ...changes,
  }
}

export function subscription(changes: Partial<SubscriptionOut> = {}): SubscriptionOut {
  return {
    status: "active",
    driverLimit: 50,
    endDate: daysAgo(-22),
    companyDetails: noCompany,
    user: noCompany,
    cancelled: false,
    isTrial: false,
    trial: null,
    daysLeft: 22,
    priceNet: 59900,
    nextPriceNet: 59900,
    drivers: 12,
    nextLimit: null,
    nextLimitAt: null,
    renews: false,
    mandateLabel: null,
    refusedRenewal: null,
    graceUntil: null,
    openOrder: null,
    monitoredSince: null,
    ...changes,
  }
}

const noSubscription = subscription({
  status: "inactive",
  driverLimit: 0,
  endDate: null,
  daysLeft: 0,
  drivers: 0,
})

export function runningTrial(): SubscriptionOut {
  return subscription({
    driverLimit: 5,
    drivers: 3,
    isTrial: true,
    daysLeft: 7,
    endDate: daysAgo(-7),
    trial: { startDate: daysAgo(0), endDate: daysAgo(-7), daysLeft: 7, ended: false },
  })
}

type Kind =
  | "valid"
  | "withheld"
  | "revoked"
  | "expired"
  | "lost"
  | "not_found"
  | "category_expired"
  | "expires_soon"

const kinds: Record<Kind, Partial<VerificationOut>> = {
  valid: { status: "valid", documentStatus: "Wydany", documentCode: "W" },
  withheld: {
    status: "invalid",
    documentStatus: "Zatrzymany",
    documentCode: "Z",
    reasons: [
      { kod: "P01", wartosc: "Przekroczenie dopuszczalnej prędkości o więcej niż 50 km/h" },
      { kod: null, wartosc: "Zatrzymanie przez organ kontroli ruchu drogowego" },
    ],
  },
  revoked: { status: "invalid", documentStatus: "Cofnięty", documentCode: "C" },
  expired: {
    status: "attention",
    documentStatus: "Wydany",
    documentCode: "W",
    expired: true,
    expiryDate: "2026-11-02",
  },
  category_expired: {
    categories: [
      { kategoria: "B", dataWaznosci: "2034-05-17" },
      { kategoria: "C", dataWaznosci: daysAgo(22).slice(0, 10) },
      { kategoria: "C+E", dataWaznosci: daysAgo(22).slice(0, 10) },
      { kategoria: "D", dataWaznosci: daysAgo(-8).slice(0, 10) },
    ],
  },
  expires_soon: { expiryDate: daysAgo(-12).slice(0, 10) },
  lost: { status: "attention", documentStatus: "Utracony", documentCode: "U" },
  not_found: {
    status: "not_found",
    documentStatus: null,
    documentCode: null,
    issuingAuthority: null,
    expiryDate: null,
    categories: [],
    notes: "UPKI-1030: Brak danych.",
  },
}

export function verification(
  driver: Pick<DriverOut, "id" | "licenseNumber">,
  kind: Kind,
  verifiedAt: string,
): VerificationOut {
  return {
    id: newId(),
    driverId: driver.id,
    status: "valid",
    verifiedAt,
    documentStatus: "Wydany",
    documentCode: "W",
    issuingAuthority: "Prezydent Miasta Krakowa",
    expiryDate: "2034-05-17",
    expired: false,
    categories: [
      { kategoria: "B", dataWaznosci: "2034-05-17" },
      { kategoria: "C", dataWaznosci: "2029-05-17" },
      { kategoria: "CE", dataWaznosci: "2029-05-17" },
      { kategoria: "AM", dataWaznosci: null },
    ],
    reasons: [],
    notes: null,
    lastVerificationHash: "0".repeat(64),
    licenseNumber: driver.licenseNumber,
    ...kinds[kind],
  }
}

const browser = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0 Safari/537.36"
const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26.0 Safari/604.1"

function session(agent: string, lastSeen: number, changes: Partial<SessionOut> = {}): SessionOut {
  const times = { createdAt: daysAgo(lastSeen + 3), lastSeenAt: daysAgo(lastSeen) }
  const own = { operator: false, inNameOf: null }
  return { id: newId(), current: false, ...own, ...times, ip: "192.0.2.7", agent, ...changes }
}

function sessions(): SessionOut[] {
  const ip = "2001:db8:85a3:8d3:1319:8a2e:370:7348"
  return [
    session(browser, 0, { current: true }),
    session(phone, 0.2, { ip }),
    ...[2, 5, 9, 14].map((days) => session(days === 9 ? "curl/8.5.0" : browser, days)),
  ]
}

export function driver(
  firstName: string,
  lastName: string,
  licenseNumber: string,
  changes: Partial<DriverOut> = {},
): DriverOut {
  return {
    id: newId(),
    firstName,
    lastName,
    licenseNumber,
    status: "unknown",
    mayDrive: "check",
    neededCategories: [],
    createdAt: daysAgo(30),
    overLimit: false,
    staleSince: null,
    episode: null,
    verifications: [],
    ...changes,
  }
}

function checked(one: DriverOut, kind: Kind, verifiedAt = thisMorning()): DriverOut {
  const latest = verification(one, kind, verifiedAt)
  const episode = episodeOf(latest)
  return { ...one, ...answerOf(latest), verifications: [latest], episode }
}

function answerOf({ status, expired }: VerificationOut): Pick<DriverOut, "status" | "mayDrive"> {
  if (status === "invalid" || expired) return { status, mayDrive: "no" }
  return { status, mayDrive: status === "valid" ? "yes" : "check" }
}

/** What the server says of the time since a verification that is not valid. */
export function episodeOf(
  { status, verifiedAt, reasons }: VerificationOut,
  since = verifiedAt,
): EpisodeOut | null {
  return status === "valid" ? null : { since, reasons, acknowledgement: null }
}

function thisMorning(): string {
  const morning = new Date()
  morning.setUTCHours(5, 4, 11, 0)
  return morning.toISOString()
}

function fleet(): DriverOut[] {
  return [
    checked(driver("Łukasz", "Ćwikła", "BC204518"), "withheld"),
    checked(driver("Jan", "Kowalski", "AA123456"), "valid"),
    checked(driver("Żaneta", "Śliwińska-Wójcik", "KR778120"), "valid"),
    checked(driver("Zbigniew", "Wiśniewski", "ZB550911"), "valid"),
    checked(driver("Aleksandra", "Źrebiec", "AB100203"), "expired"),
    checked(driver("Piotr", "Ślusarczyk", "PS998877"), "not_found"),
    driver("Nowy", "Kierowca", "NK000001", { createdAt: daysAgo(0) }),
    checked(driver("Michał", "Zając", "MZ334455"), "lost"),
    checked(driver("Ewa", "Ciężka", "EC101010"), "category_expired"),
    checked(driver("Ádám", "Nagy", "AN220033"), "expires_soon"),
    checked(driver("Oleksandr", "Kovalenko", "OK440055"), "valid"),
    checked(driver("Tomasz", "Łoś", "TL667788"), "valid"),
  ]
}

function crowd(): DriverOut[] {
  const first = ["Maksymilian", "Świętosława", "Jan", "Wenancjusz", "Zofia", "Krzesimira"]
  const lastNames = ["Brzęczyszczykiewicz", "Konstantynopolitańczykowianeczka-Nowak", "Li", "Żółw"]
  const some: Kind[] = ["valid", "valid", "withheld", "valid", "revoked", "expired", "lost"]
  return Array.from({ length: 137 }, (_, i) => {
    const name = lastNames[i % lastNames.length] ?? ""
    const one = driver(first[i % first.length] ?? "", name, `ZZ${(100000 + i * 37) % 1000000}`)
    const kind = i < 14 ? some[i % some.length] : undefined
    return checked({ ...one, overLimit: i >= 130 }, kind ?? "valid")
  })
}

/** Withheld since today, yesterday and longer; the older ones mostly acknowledged. */
function withheldCrowd(count: number): DriverOut[] {
  const drivers = crowd().map((one) => checked(one, "valid"))
  return drivers.map((one, i) => {
    if (i >= count) return one
    const latest = verification(one, i % 5 === 4 ? "revoked" : "withheld", thisMorning())
    const age = i < count / 2 ? i % 2 : i
    const episode = episodeOf(latest, age === 0 ? latest.verifiedAt : daysAgo(age))
    const acknowledgement = {
      id: newId(),
      note: "Poinformowany telefonicznie, auto przekazane zmiennikowi",
      createdAt: daysAgo(age - 0.5),
      createdBy: "anna.nowak@example.test",
    }
    if (episode && age > 1 && i % 4 !== 0) episode.acknowledgement = acknowledgement
    return { ...one, ...answerOf(latest), verifications: [latest], episode }
  })
}

function stale(drivers: DriverOut[], since: string, only = drivers.length): DriverOut[] {
  return drivers.map((one, i) =>
    i < only && one.verifications.length > 0
      ? {
          ...one,
          staleSince: since,
          mayDrive: one.mayDrive === "no" ? "no" : "check",
          verifications: one.verifications.map((v) => ({ ...v, verifiedAt: since })),
        }
      : one,
  )
}

function notices(drivers: DriverOut[] = []): NotificationOut[] {
  const idOf = (number: string) => drivers.find((one) => one.licenseNumber === number)?.id ?? null
  return [
    {
      id: newId(),
      type: "driver_status",
      title: "Zatrzymane uprawnienia: Łukasz Ćwikła",
      kind: "withheld",
      driverId: idOf("BC204518"),
      content:
        "Rejestr pokazuje stan „Zatrzymany” dla prawa jazdy BC204518. Kierowca nie może prowadzić pojazdów.",
      read: false,
      createdAt: daysAgo(0.2),
    },
    {
      id: newId(),
      type: "driver_status",
      title: "Nie znaleziono dokumentu: Piotr Ślusarczyk",
      kind: "not_found",
      driverId: idOf("PS998877"),
      content: "Sprawdź imię, nazwisko i numer PS998877.",
      read: false,
      createdAt: daysAgo(1.2),
    },
    {
      id: newId(),
      type: "driver_status",
      title: "Przywrócone uprawnienia: Tomasz Łoś",
      kind: "restored",
      driverId: idOf("TL667788"),
      content: "Rejestr znów pokazuje stan „Wydany” dla prawa jazdy TL667788.",
      read: true,
      createdAt: daysAgo(9),
    },
  ]
}

/** Drivers whose pages differ: a year of changes, one check, none. */
function pages(): Partial<Scenario> {
  const year = driver("Łukasz", "Ćwikła", "BC204518", { neededCategories: ["C", "D"] })
  const long = driver(
    "Świętosława-Krzesimira",
    "Konstantynopolitańczykowianeczka-Brzęczyszczykiewicz",
    "ZZ100037",
  )
  const fresh = driver("Nowy", "Kierowca", "NK000001", { createdAt: daysAgo(0) })
  const kindOn = (n: number): Kind =>
    n < 2 ? "withheld" : n > 40 && n < 47 ? "lost" : n > 200 && n < 204 ? "not_found" : "valid"
  const history = Array.from({ length: 400 }, (_, n) => n)
    .filter((n) => n % 97 !== 30)
    .map((n) => verification(year, kindOn(n), daysAgo(n)))
  const one = verification(long, "category_expired", thisMorning())
  const drivers = [
    { ...year, status: "invalid" as const, verifications: history.slice(0, 1) },
    { ...long, status: "valid" as const, verifications: [one] },
    fresh,
  ]
  const notifications = [
    ["withheld", "Zatrzymane uprawnienia: Łukasz Ćwikła", 1],
    ["attention", "Sprawdź dokument: Łukasz Ćwikła", 46],
  ].map(([kind, title, days]) => ({
    id: newId(),
    type: "driver_status",
    title: String(title),
    content: "Rejestr podaje stan dokumentu. Prawo jazdy BC204518.",
    read: false,
    createdAt: daysAgo(Number(days)),
    kind: kind as NotificationOut["kind"],
    driverId: year.id,
  }))
  return {
    drivers,
    notifications,
    history: new Map([
      [year.id, history],
      [long.id, [one]],
    ]),
  }
}

function scenario(changes: Partial<Scenario>): Scenario {
  const drivers = changes.drivers ?? []
  const history = new Map(
    drivers.map((one) => {
      const earlier = Array.from({ length: 29 }, (_, i) =>
        verification(one, "valid", daysAgo(i + 1)),
      )
      return [one.id, one.verifications.length > 0 ? [...one.verifications, ...earlier] : []]
    }),
  )
  return {
    user: user(),
    subscription: subscription(),
    drivers,
    history,
    notifications: [],
    sessions: sessions(),
    secondFactor: { enabled: false, enabledAt: null, recoveryCodesLeft: 0, required: false },
    invoices: [],
    staleSince: null,
    failing: false,
    delay: 150,
    ...changes,
  }
}

const threeDaysAgo = daysAgo(3.3)

export const scenarios: Record<string, () => Scenario> = {
  visitor: () => scenario({ user: null }),
  unverified: () => scenario({ user: user({ emailVerified: false }) }),
  changed: () =>
    scenario({
      user: user({
        pendingDocuments: [
          { document: "terms", version: "2027-03-01" },
          { document: "data_processing", version: "2027-03-01" },
        ],
      }),
    }),
  impersonated: () =>
    scenario({
      user: user({ impersonator: { email: "operator@prawko.test", secondsLeft: 2520 } }),
      drivers: fleet(),
    }),
  fresh: () => scenario({ subscription: noSubscription }),
  empty: () => scenario({}),
  none: () => scenario({ drivers: withheldCrowd(0) }),
  one: () => scenario({ drivers: withheldCrowd(1), notifications: notices() }),
  eight: () => scenario({ drivers: withheldCrowd(8), notifications: notices() }),
  many: () => scenario({ drivers: withheldCrowd(63), notifications: notices() }),
  fleet: () => {
    const drivers = fleet()
    return scenario({ drivers, notifications: notices(drivers) })
  },
  pages: () => scenario(pages()),
  crowd: () => scenario({ drivers: crowd(), notifications: notices() }),
  trial: () => scenario({ subscription: runningTrial(), drivers: fleet().slice(1, 4) }),
  ended: () =>
    scenario({
      drivers: stale(fleet(), threeDaysAgo),
      staleSince: threeDaysAgo,
      subscription: subscription({
        status: "expired",
        driverLimit: 5,
        isTrial: true,
        daysLeft: 0,
        endDate: threeDaysAgo,
        trial: { startDate: daysAgo(10), endDate: threeDaysAgo, daysLeft: 0, ended: true },
      }),
    }),
  stale: () => scenario({ drivers: stale(fleet(), threeDaysAgo, 4), staleSince: threeDaysAgo }),
  bounced: () => scenario({ user: user({ emailProblem: "bounced" }), notifications: notices() }),
  cancelled: () =>
    scenario({ drivers: fleet(), subscription: subscription({ cancelled: true, user: company }) }),
  paying: () =>
    scenario({
      drivers: fleet(),
      subscription: subscription({
        driverLimit: 15,
        priceNet: 24900,
        nextPriceNet: 24900,
        user: company,
        renews: true,
        mandateLabel: "Visa •••• 4242",
      }),
      invoices: [4, 3, 2, 1].map((number) => createInvoice(number)),
    }),
  refused: () =>
    scenario({
      drivers: fleet(),
      subscription: subscription({
        driverLimit: 15,
        priceNet: 24900,
        nextPriceNet: 24900,
        user: company,
        daysLeft: 1,
        endDate: daysAgo(-0.9),
        renews: true,
        mandateLabel: "Visa •••• 4242",
        refusedRenewal: { triedAt: daysAgo(0.1), nextTryAt: daysAgo(-0.15) },
      }),
    }),
  unchecked: () =>
    scenario({ drivers: fleet().map((one) => ({ ...one, status: "unknown", verifications: [] })) }),
  lower: () =>
    scenario({
      drivers: fleet().slice(0, 4),
      subscription: subscription({
        user: longCompany,
        drivers: 4,
        nextLimit: 5,
        nextLimitAt: daysAgo(-22),
        endDate: daysAgo(-22),
      }),
    }),
  grace: () =>
    scenario({
      drivers: fleet(),
      subscription: subscription({
        status: "expired",
        driverLimit: 15,
        daysLeft: 0,
        endDate: daysAgo(1),
        graceUntil: daysAgo(-2),
        renews: true,
        mandateLabel: "Visa •••• 4242",
        user: company,
      }),
    }),
  transfer: () =>
    scenario({
      subscription: { ...noSubscription, user: company, openOrder: createOrder("transfer", 15) },
    }),
  unpaid: () =>
    scenario({
      subscription: { ...noSubscription, user: company, openOrder: createOrder("card", 15) },
    }),
  failing: () => scenario({ failing: true }),
  slow: () => scenario({ delay: 600_000 }),
}
