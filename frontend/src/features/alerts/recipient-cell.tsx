import { clsx } from "clsx"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"

export const recipientRowClasses = "flex flex-col gap-3 px-5 py-4 @table:table-row @table:px-0"

type RecipientCellProps = {
  column: "email" | "sms" | "groups" | "hours" | "actions"
  className?: string
  children?: ReactNode
}

/** A cell; on a card its column's name stands before it. */
export function RecipientCell({ column, className, children }: RecipientCellProps) {
  const { t } = useTranslation()
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: `display` takes the role away on small screens
    <td
      role="cell"
      className={clsx(
        children ? "flex" : "hidden",
        "flex-wrap items-center justify-between gap-x-4 gap-y-1 @table:table-cell @table:px-3 @table:py-3 @table:align-top @table:last:pr-5",
        className,
      )}
    >
      {children && column !== "actions" && (
        <span aria-hidden className="text-sm font-semibold text-ink-soft @table:hidden">
          {t(`notifications.recipients.columns.${column}`)}
        </span>
      )}
      {children}
    </td>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above
  )
}

/** The cell that names the row. */
export function PersonCell({ children }: { children: ReactNode }) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: as above
    <th
      role="rowheader"
      scope="row"
      className="block min-w-0 font-normal @table:table-cell @table:min-w-52 @table:py-3 @table:pr-3 @table:pl-5 @table:align-top"
    >
      {children}
    </th>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above
  )
}
