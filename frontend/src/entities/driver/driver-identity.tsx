import type { DriverSummaryOut } from "~/api/types.gen"
import { fullName } from "./driver"

/** The driver that a dialog is about: the name, and beside or below it the number. */
export function DriverIdentity({ driver }: { driver: DriverSummaryOut }) {
  return (
    <span className="flex flex-wrap gap-x-3">
      <span>{fullName(driver)}</span> <span className="serial">{driver.licenseNumber}</span>
    </span>
  )
}
