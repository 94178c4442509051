/** An invented company, as of this morning: nothing here resembles a real person or document. */

import type { DriverOut, SubscriptionOut, UserOut, VerificationOut } from "~/api/types.gen"
import { daysBefore, formatTime, warsawDate } from "~/lib/dates"

const now = Date.now()
const dayMs = 86_400_000
const today = warsawDate(now)
const isOver = (instant: string) => Date.parse(instant) <= now

/** 6:10 in Warsaw, so many days ago; of yesterday while it is still night. */
function morning(days: number): string {
  const at = (day: string) =>
    ["+02:00", "+01:00"]
      .map((zone) => new Date(`${day}T06:10:00${zone}`).toISOString())
      .find((instant) => formatTime(instant) === "06:10") ?? ""
  return at(daysBefore(today, days + (isOver(at(today)) ? 0 : 1)))
}

export const alarmAt = morning(0)

/** The page's time starts at 6:12 of that morning. Whole seconds, as a demonstration's clock. */
const clockOffset = Math.round((Date.parse(alarmAt) + 120_000 - now) / 1000)

type Result = Partial<VerificationOut>

const withheld: Result = {
  status: "invalid",
  documentStatus: "Zatrzymany",
  reasons: [{ kod: null, wartosc: "Zatrzymanie przez organ kontroli ruchu drogowego" }],
}
const expired: Result = {
  status: "attention",
  expired: true,
  expiryDate: daysBefore(today, 5),
  categories: [{ kategoria: "B", dataWaznosci: daysBefore(today, 5) }],
}
const unknown: Result = {
  status: "not_found",
  documentStatus: null,
  issuingAuthority: null,
  expiryDate: null,
  categories: [],
}

let ids = 0
function newId(): string {
  ids += 1
  return `00000000-0000-7000-8000-${String(ids).padStart(12, "0")}`
}

export const currentInstant = () => new Date(Date.now() + clockOffset * 1000).toISOString()

/** The checks of each driver, newest first. */
export const histories = new Map<string, VerificationOut[]>()

function driver(name: string, licenseNumber: string, result: Result = {}, age = 0): DriverOut {
  const [firstName = "", lastName = ""] = name.split(" ")
  const id = newId()
  const history = Array.from(
    { length: 30 },
    (_, days): VerificationOut => ({
      id: newId(),
      driverId: id,
      status: "valid",
      verifiedAt: morning(days),
      documentStatus: "Wydany",
      documentCode: null,
      issuingAuthority: "Prezydent Miasta Krakowa",
      expiryDate: daysBefore(today, -1700),
      expired: false,
      categories: ["B", "C", "C+E"].map((kategoria) => ({
        kategoria,
        dataWaznosci: daysBefore(today, -1700),
      })),
      reasons: [],
      notes: null,
      lastVerificationHash: "",
      licenseNumber,
      ...(days <= age ? result : {}),
    }),
  )
  histories.set(id, history)
  const { status = "valid" } = result
  return {
    id,
    firstName,
    lastName,
    licenseNumber,
    status,
    mayDrive: status === "valid" ? "yes" : status === "not_found" ? "check" : "no",
    neededCategories: [],
    createdAt: morning(60),
    overLimit: false,
    staleSince: null,
    episode:
      status === "valid"
        ? null
        : { since: morning(age), reasons: result.reasons ?? [], acknowledgement: null },
    verifications: history.slice(0, 1),
  }
}

export const user: UserOut = {
  email: "dyspozytor@spedycja.example",
  phoneNumber: "+48500100200",
  phoneVerified: true,
  emailNotificationsEnabled: true,
  smsNotificationsEnabled: true,
  companyName: "Spedycja Przykładowa",
  isAdmin: false,
  emailVerified: true,
  createdAt: morning(60),
  subscriptions: [],
  language: "pl",
  clockOffset,
  pendingDocuments: [],
  emailProblem: null,
  impersonator: null,
  listView: { pageSize: 10, denseRows: false },
  plannedDrivers: null,
  role: "owner",
  acts: [],
}

export const drivers: DriverOut[] = [
  driver("Marek Zawada", "KW204518", withheld),
  driver("Aleksandra Źrebiec", "AB100203", expired, 5),
  driver("Piotr Ślusarczyk", "PS998877", unknown, 2),
  driver("Ádám Nagy", "AN220033", { expiryDate: daysBefore(today, -12) }),
  ...[
    ["Jan Kowalski", "AA123456"],
    ["Żaneta Śliwińska-Wójcik", "KR778120"],
    ["Zbigniew Wiśniewski", "ZB550911"],
    ["Michał Zając", "MZ334455"],
    ["Ewa Ciężka", "EC101010"],
    ["Oleksandr Kovalenko", "OK440055"],
    ["Tomasz Łoś", "TL667788"],
    ["Łukasz Ćwikła", "BC310772"],
  ].map(([name = "", number = ""]) => driver(name, number)),
]

const noCompany = { companyName: "", taxId: "", street: "", postalCode: "", city: "" }

export const subscription: SubscriptionOut = {
  status: "active",
  driverLimit: 15,
  endDate: new Date(now + 22 * dayMs).toISOString(),
  companyDetails: noCompany,
  user: noCompany,
  cancelled: false,
  isTrial: false,
  trial: null,
  daysLeft: 22,
  priceNet: 24900,
  nextPriceNet: 24900,
  drivers: drivers.length,
  nextLimit: null,
  nextLimitAt: null,
  renews: false,
  mandateLabel: null,
  refusedRenewal: null,
  graceUntil: null,
  openOrder: null,
  monitoredSince: morning(60),
}
