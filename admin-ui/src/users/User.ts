type SubscriptionStatus = "active" | "inactive" | "cancelled" | "trial" | "expired"

export type User = {
  id: string
  email: string
  createdAt: string
  emailVerified: boolean
  isAdmin: boolean
  language: string
  companyId: string
  companyName: string | null
  subscriptions: {
    id: string
    status: SubscriptionStatus
    driverLimit: number
    endDate: string | null
    isTrial: boolean
    cancelled: boolean
  }[]
  status: "active" | "inactive"
  driverLimit: number
  driversCount: number
}

export type UserHistory = {
  activity: {
    id: string
    activityType: string
    createdAt: string
    details: Record<string, unknown> | null
    ipAddress: string | null
  }[]
  subscriptions: {
    id: string
    changedAt: string
    oldStatus: string | null
    newStatus: string
    oldEndDate: string | null
    newEndDate: string | null
    note: string | null
  }[]
  verifications: {
    id: string
    verifiedAt: string
    driverFirstName: string
    driverLastName: string
    status: string
    mayDrive: "no" | "check" | "yes"
    documentStatus: string | null
    categories: string[]
    verificationResponse: unknown
  }[]
}
