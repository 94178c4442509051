import { clsx } from "clsx"
import type { ReactNode } from "react"
import { Link } from "react-router"
import type { DriverSummaryOut } from "~/api/types.gen"
import { fullName } from "~/entities/driver/driver"
import { Hyphenated } from "~/ui/hyphenated"

/** From 1280 px on a row is 44 px high, so that a long text is cut there; its title has all of it. */
export const cutText = "min-w-0 wrap-anywhere @4xl:truncate"

type QueueRowProps = {
  driver: DriverSummaryOut
  /** Before the name: a box that chooses the driver. */
  choice?: ReactNode
  /** Below the name. */
  number: ReactNode
  /** Why the driver is in the queue, or who has acted. */
  children: ReactNode
  actions: ReactNode
  /** At the right edge. */
  arrow?: ReactNode
  className: string
}

/** A driver of the dashboard's queue in a row, which is a link to the driver. */
export function QueueRow(props: QueueRowProps) {
  const { driver, choice, number, children, actions, arrow, className } = props
  const name = fullName(driver)
  return (
    <li
      data-queue-row={driver.id}
      className={clsx(
        // All rows of a width have their columns at the same place, whatever their buttons.
        "relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 py-2 pr-3 @4xl:min-h-11 @4xl:grid-cols-[21cqi_minmax(0,1fr)_auto_auto] @4xl:py-0.75",
        className,
      )}
    >
      <div className="flex min-w-0 items-center gap-3">
        {choice}
        <div className="min-w-0 flex-1">
          <h4 className="font-semibold @4xl:text-sm @4xl:leading-tight">
            <Link
              to={`?driver=${driver.id}`}
              title={name}
              className="wrap-anywhere after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
            >
              <Hyphenated>{name}</Hyphenated>
            </Link>
          </h4>
          <p className="serial text-sm text-ink-soft @4xl:text-xs @4xl:leading-tight">{number}</p>
        </div>
      </div>
      {arrow}
      <div className="col-span-full min-w-0 text-sm @4xl:col-span-1 @4xl:leading-tight">
        {children}
      </div>
      <div
        className={clsx(
          "relative col-span-full justify-end empty:hidden has-[form]:order-1 @4xl:flex @4xl:empty:block @4xl:has-[form]:col-span-full",
          arrow ? "@4xl:col-span-1" : "@4xl:col-span-2",
        )}
      >
        {actions}
      </div>
    </li>
  )
}
