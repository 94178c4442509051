/** Fixtures of the screen tests: Anna and her company. */

import type {
  DriverOut,
  EpisodeOut,
  InvoiceOut,
  OrderOut,
  QuoteOut,
  SubscriptionOut,
  UserOut,
  VerificationOut,
} from "~/api/types.gen"
import { periodPrice } from "~/lib/price"

const emptyDetails = { companyName: "", taxId: "", street: "", postalCode: "", city: "" }

export const anna: UserOut = {
  email: "anna@acme.test",
  phoneNumber: null,
  phoneVerified: false,
  emailNotificationsEnabled: true,
  smsNotificationsEnabled: false,
  companyName: "Acme",
  isAdmin: false,
  emailVerified: true,
  createdAt: "2026-10-01T08:00:00Z",
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
}

export const activeSubscription: SubscriptionOut = {
  status: "active",
  driverLimit: 5,
  endDate: "2026-12-21T08:00:00Z",
  companyDetails: emptyDetails,
  user: emptyDetails,
  cancelled: false,
  isTrial: false,
  trial: null,
  daysLeft: 30,
  priceNet: 14900,
  nextPriceNet: 14900,
  drivers: 3,
  nextLimit: null,
  nextLimitAt: null,
  renews: false,
  mandateLabel: null,
  refusedRenewal: null,
  graceUntil: null,
  openOrder: null,
  monitoredSince: null,
}

export const trialSubscription: SubscriptionOut = {
  ...activeSubscription,
  isTrial: true,
  daysLeft: 7,
  trial: {
    startDate: "2026-11-20T08:00:00Z",
    endDate: "2026-11-27T08:00:00Z",
    daysLeft: 7,
    ended: false,
  },
}

export const noSubscription: SubscriptionOut = {
  ...activeSubscription,
  status: "inactive",
  driverLimit: 0,
  endDate: null,
  daysLeft: 0,
  drivers: 0,
}

/** Acme's billing details. */
export const billingDetails = {
  companyName: "Acme sp. z o.o.",
  taxId: "5261040828",
  street: "Długa 5",
  postalCode: "00-950",
  city: "Warszawa",
}

export const openOrder: OrderOut = {
  id: "00000000-0000-7000-8000-0000000000f0",
  kind: "period",
  state: "open",
  method: "card",
  driverLimit: 5,
  net: 14900,
  vat: 3427,
  gross: 18327,
  createdAt: "2026-11-21T08:00:00Z",
  url: "https://pay.test/abc",
  transfer: null,
  reason: null,
}

/** The server's quote for a new customer. */
export function quoteFor(driverLimit: number, changes: Partial<QuoteOut> = {}): QuoteOut {
  const price = periodPrice(driverLimit)
  return {
    driverLimit,
    lines: [{ kind: "period", days: null, ...price }],
    ...price,
    newEndDate: "2026-12-21T08:00:00Z",
    limitFrom: null,
    change: null,
    ...changes,
  }
}

export const invoice: InvoiceOut = {
  id: "00000000-0000-7000-8000-0000000000f1",
  number: "FV/2026/11/0001",
  issuedAt: "2026-11-21T08:00:00Z",
  net: 14900,
  vat: 3427,
  gross: 18327,
  currency: "PLN",
  pdfReady: true,
  ksefState: "numbered",
}

export function verified(changes: Partial<VerificationOut> = {}): VerificationOut {
  return {
    id: "00000000-0000-7000-8000-00000000000a",
    driverId: "00000000-0000-7000-8000-000000000001",
    status: "valid",
    verifiedAt: "2026-11-20T05:04:00Z",
    documentStatus: "Wydany",
    documentCode: "W",
    issuingAuthority: "Starosta Krakowski",
    expiryDate: "2034-05-17",
    expired: false,
    categories: [{ kategoria: "B", dataWaznosci: null }],
    reasons: [],
    notes: null,
    lastVerificationHash: "0",
    licenseNumber: "AA123456",
    ...changes,
  }
}

export const withheld = verified({ status: "invalid", documentStatus: "Zatrzymany" })
export const expired = verified({ status: "attention", expired: true, expiryDate: "2026-11-02" })
export const unusual = verified({ status: "attention", documentStatus: "Utracony" })
export const notFound = verified({ status: "not_found", documentStatus: null })

/** The episode that the server reports for a verification; null if it is valid. */
function episodeOf({ status, verifiedAt, reasons }: VerificationOut): EpisodeOut | null {
  return status === "valid" ? null : { since: verifiedAt, reasons, acknowledgement: null }
}

function mayDriveOf(latest?: VerificationOut, staleSince?: string | null): DriverOut["mayDrive"] {
  if (latest?.status === "invalid" || latest?.expired) return "no"
  return latest?.status === "valid" && !staleSince ? "yes" : "check"
}

let driverCount = 0

export function driver(
  firstName: string,
  lastName: string,
  latest?: VerificationOut,
  changes: Partial<DriverOut> = {},
): DriverOut {
  driverCount += 1
  const id = `00000000-0000-7000-8000-${String(driverCount).padStart(12, "0")}`
  return {
    id,
    firstName,
    lastName,
    licenseNumber: `AA${String(100000 + driverCount)}`,
    status: latest?.status ?? "unknown",
    mayDrive: mayDriveOf(latest, changes.staleSince),
    neededCategories: [],
    createdAt: "2026-10-02T08:00:00Z",
    overLimit: false,
    staleSince: null,
    episode: latest ? episodeOf(latest) : null,
    verifications: latest ? [{ ...latest, driverId: id }] : [],
    ...changes,
  }
}
