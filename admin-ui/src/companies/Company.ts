export type Company = {
  id: string
  name: string
  taxId: string | null
  email: string | null
  createdAt: string
  status: string
  driverLimit: number
  driversCount: number
  endDate: string | null
  suspended: boolean
}
