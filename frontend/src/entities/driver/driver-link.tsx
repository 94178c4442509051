import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import { Link, useLocation } from "react-router"
import type { DriverSummaryOut } from "~/api/types.gen"
import { fullName } from "~/entities/driver/driver"
import { driverPath } from "~/lib/driver-queries"

type DriverLinkProps = {
  driver: Pick<DriverSummaryOut, "id" | "firstName" | "lastName">
  className?: string
  /** Instead of the full name. */
  children?: ReactNode
  /** A second link to the same page beside the first: no stop for the keyboard. */
  isRepeated?: boolean
}

/** A link to the page of a driver; in the list it keeps the search, and Back closes the page. */
export function DriverLink({ driver, className = "", children, isRepeated }: DriverLinkProps) {
  const { t } = useTranslation()
  const { pathname, search } = useLocation()
  const isFromList = pathname === "/panel/drivers"
  const name = fullName(driver)
  return (
    <Link
      to={{ pathname: driverPath(driver.id), search: isFromList ? search : "" }}
      state={{ isFromList }}
      tabIndex={isRepeated ? -1 : undefined}
      aria-label={children ? t("drivers.page.open", { name }) : undefined}
      className={`rounded-sm underline-offset-3 hover:underline ${className}`}
    >
      {children ?? name}
    </Link>
  )
}
