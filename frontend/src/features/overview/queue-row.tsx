import { clsx } from "clsx"
import { ChevronRight } from "lucide-react"
import type { ReactNode } from "react"
import { Link } from "react-router"
import type { DriverSummaryOut } from "~/api/types.gen"
import { fullName } from "~/entities/driver/driver"
import { Hyphenated } from "~/ui/hyphenated"

type QueueRowProps = {
  driver: DriverSummaryOut
  /** Before the name: a box that chooses the driver. */
  choice?: ReactNode
  /** Below the name, or beside it. */
  number: ReactNode
  /** Why the driver is in the queue, or who has acted. */
  children: ReactNode
  actions: ReactNode
  hasArrow?: boolean
  className: string
}

/**
 * A driver of the dashboard's queue in a row, which is a link to the driver: a line from 1280 px on,
 * else a block, which has its buttons at the right from 640 px on. A block that is done is small.
 */
export function QueueRow(props: QueueRowProps) {
  const { driver, choice, number, children, actions, hasArrow, className } = props
  const name = fullName(driver)
  const isDone = Boolean(driver.episode?.acknowledgement)
  return (
    <li
      data-queue-row={driver.id}
      className={clsx(
        // All rows of a width have their columns at the same place, whatever their buttons.
        "relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 pr-3 @card:grid-cols-[minmax(0,1fr)_auto_auto] @4xl:min-h-11 @4xl:grid-cols-[22.5cqi_minmax(0,1fr)_auto_auto] @4xl:gap-y-1 @4xl:py-0.75",
        isDone ? "py-1 @max-card:py-0" : "gap-y-1 py-1.5 @card:gap-y-0",
        className,
      )}
    >
      <div
        className={clsx(
          "flex min-w-0 items-center gap-2 @card:gap-3",
          !hasArrow && "@max-card:col-span-2",
        )}
      >
        {choice}
        <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-1.5 @4xl:block">
          <h4
            className={clsx(
              "leading-tight font-semibold @4xl:text-sm @4xl:leading-tight",
              isDone && "@max-card:text-sm @max-card:leading-tight",
            )}
          >
            <Link
              to={`?driver=${driver.id}`}
              title={name}
              className="wrap-anywhere @4xl:[&>span]:inline after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
            >
              <Hyphenated>{name}</Hyphenated>
            </Link>
          </h4>
          <p className="serial text-xs leading-tight text-ink-soft">{number}</p>
        </div>
      </div>
      {hasArrow && (
        <ChevronRight
          aria-hidden
          className="size-5 text-ink-soft @card:col-start-3 @card:row-start-1 @card:@max-4xl:row-span-2 @4xl:col-start-4 print:hidden"
        />
      )}
      <div
        className={clsx(
          "col-span-full min-w-0 text-sm leading-tight @card:col-span-1 @card:@max-4xl:row-start-2",
          isDone && "@max-card:contents",
        )}
      >
        {children}
      </div>
      <div
        className={clsx(
          "relative justify-end empty:hidden has-[form]:order-1 has-[form]:col-span-full @card:flex @card:empty:block @card:@max-4xl:not-has-[form]:row-span-2",
          !isDone && "@max-card:col-span-full",
          !hasArrow && "@card:col-span-2",
        )}
      >
        {actions}
      </div>
    </li>
  )
}
