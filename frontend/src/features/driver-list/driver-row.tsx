import { clsx } from "clsx"
import type { TFunction } from "i18next"
import { type MouseEvent, memo } from "react"
import { useNavigate } from "react-router"
import type { DriverSummaryOut } from "~/api/types.gen"
import { driverPath, fullName, latestVerification } from "~/entities/driver/driver"
import { CategoryList, ValidityDate } from "~/entities/driver/driver-validity"
import { mayDrive } from "~/entities/driver/may-drive"
import { Hyphenated } from "~/ui/hyphenated"
import { type RowActions, RowButtons } from "./row-buttons"
import { CheckedAt, cutBadges, type DailyCheck, StatusLine } from "./row-facts"
import { type DriverSelection, SelectionBox } from "./selection"

type DriverRowProps = RowActions & {
  /** The table's: a hook in each of some 500 components takes its time. */
  t: TFunction
  driver: DriverSummaryOut
  today: string
  /** Whether the link and the buttons of this row are in the order of Tab. */
  isTabStop: boolean
  /** Whether the driver is shown beside the list. */
  isOpen: boolean
  onFocus: (driverId: string) => void
  isSelected: boolean
  onSelect: DriverSelection["select"]
  dailyCheck: DailyCheck
}

const linkAttribute = "data-row-link"

/** The links of the rows inside the element, to move the focus between them. */
export function rowLinks(parent: Element): HTMLElement[] {
  return [...parent.querySelectorAll<HTMLElement>(`[${linkAttribute}]`)]
}

const cell = "px-1.5 py-0.5 align-middle @max-table:p-0"
/**
 * The cells of the table; of the cards in two columns with their places, and of those in one in
 * three lines: the name, the number and the state, the date and the act. What stands under the name
 * begins where it does, beside the box.
 */
const cells = {
  name: clsx(
    cell,
    "font-medium @table:pl-2 @max-card:-ml-7.5 @max-card:basis-[calc(100%+1.875rem)]",
    "wide-card:col-start-1 wide-card:row-start-1",
  ),
  lastName: clsx(cell, "font-semibold wrap-break-word @max-table:sr-only"),
  number: clsx(
    cell,
    "serial beside:max-2xl:hidden wide-card:col-start-1 wide-card:row-start-2 wide-card:pl-7.5",
  ),
  status: clsx(
    cell,
    "@max-card:contents",
    "wide-card:col-start-2 wide-card:row-start-1 wide-card:group-data-stale/row:row-span-2",
  ),
  validUntil: clsx(
    cell,
    "@max-table:flex @max-table:flex-wrap @max-table:gap-x-1.5 @max-table:gap-y-0.5 @max-table:text-sm",
    "@max-table:[&>span:last-child]:contents", // the chips flow on beside the date
    cutBadges,
    "@max-card:order-2",
    "wide-card:col-start-2 wide-card:row-start-2 wide-card:group-data-stale/row:row-start-3",
  ),
  categories: clsx(
    cell,
    "@max-card:hidden @table:@max-[76rem]:hidden",
    "wide-card:col-start-2 wide-card:row-start-3 wide-card:pt-1.5 wide-card:group-data-stale/row:row-start-4",
  ),
  lastVerification: clsx(
    cell,
    "figures @max-table:text-sm @max-table:text-ink-soft @max-card:order-4 beside:max-2xl:hidden",
    "wide-card:col-start-1 wide-card:row-start-3 wide-card:pt-1.5 wide-card:pl-7.5",
  ),
  buttons: clsx(
    cell,
    "beside:max-2xl:hidden @table:pl-1 @max-card:order-5 @max-card:-my-2 @max-card:ml-auto",
    "wide-card:col-start-3 wide-card:row-span-4 wide-card:row-start-1 wide-card:self-center",
  ),
}

/** Memoised, and without the address, so that a change of it does not render fifty rows anew. */
export const DriverRow = memo(function DriverRow({
  t,
  driver,
  today,
  isTabStop,
  isOpen,
  onFocus,
  isSelected,
  onSelect,
  dailyCheck,
  ...actions
}: DriverRowProps) {
  const navigate = useNavigate()
  const latest = latestVerification(driver)
  const answer = mayDrive(driver, today)
  const hasDocument = latest !== undefined && latest.status !== "not_found"
  const path = driverPath(driver.id)

  const openByClick = (event: MouseEvent<HTMLTableRowElement>) => {
    const isForBrowser = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey
    const target = event.target as Element
    // The menu is outside the row, but its events reach it.
    const isOnButton = !event.currentTarget.contains(target) || target.closest("button, input")
    const isSelection = window.getSelection()?.isCollapsed === false
    if (isForBrowser || isOnButton || isSelection) return
    event.preventDefault()
    // With the list's own parameters, so that the list stays as it is.
    void navigate(path + window.location.search)
  }

  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: `display` takes the roles away on small screens
    <tr
      role="row"
      data-answer={answer}
      aria-current={isOpen || undefined}
      // The badge of a stale result stands under the other, beside the name and the number.
      data-stale={(latest && driver.staleSince !== null) || undefined}
      onClick={openByClick}
      onFocus={() => onFocus(driver.id)}
      className={clsx(
        "group/row cursor-pointer border-b border-line last:border-b-0 [&_:is(a,button)]:scroll-mt-28",
        "@max-card:flex @max-card:flex-wrap @max-card:items-center @max-card:gap-x-1.5 @max-card:py-2.5 @max-card:pr-2 @max-card:pl-10.5",
        "@max-card:before:order-1 @max-card:before:basis-full", // a new line
        "wide-card:grid wide-card:items-start wide-card:gap-x-3 wide-card:px-3 wide-card:py-3",
        "wide-card:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)_auto]",
        "@table:h-11 @table:group-data-dense/table:h-9 aria-current:outline-2 aria-current:-outline-offset-2 aria-current:outline-brand",
        answer === "no" && "shadow-[inset_4px_0_0_var(--color-withheld)]",
        isSelected ? "bg-brand-soft" : "hover:bg-sunken/60",
      )}
    >
      <th role="rowheader" scope="row" className={cells.name}>
        <span className="flex items-center gap-1.5">
          <SelectionBox
            t={t}
            driver={driver}
            isSelected={isSelected}
            isTabStop={isTabStop}
            onSelect={onSelect}
          />
          <a
            {...{ [linkAttribute]: "" }}
            href={path}
            tabIndex={isTabStop ? 0 : -1}
            aria-label={fullName(driver)}
            className="min-w-0 rounded-sm wrap-break-word hover:underline"
          >
            <Hyphenated>{driver.firstName}</Hyphenated>
            <span data-cards-only className="font-semibold @table:hidden">
              {" "}
              <Hyphenated>{driver.lastName}</Hyphenated>
            </span>
          </a>
        </span>
      </th>
      <td role="cell" className={cells.lastName}>
        <Hyphenated>{driver.lastName}</Hyphenated>
      </td>
      <td role="cell" className={cells.number}>
        {driver.licenseNumber}
      </td>
      <td role="cell" className={clsx(cells.status, !latest && "wide-card:row-span-3")}>
        <StatusLine t={t} driver={driver} today={today} answer={answer} />
      </td>
      <td role="cell" className={clsx(cells.validUntil, !latest && "@max-table:hidden")}>
        {latest?.expiryDate && (
          <span data-cards-only className="text-ink-soft @table:hidden">
            {t("drivers.until")}
          </span>
        )}
        <ValidityDate t={t} driver={driver} today={today} />
      </td>
      <td role="cell" className={clsx(cells.categories, !hasDocument && "@max-table:hidden")}>
        <CategoryList t={t} driver={driver} today={today} />
      </td>
      <td role="cell" className={cells.lastVerification}>
        <CheckedAt t={t} verifiedAt={latest?.verifiedAt} today={today} dailyCheck={dailyCheck} />
      </td>
      <td role="cell" data-no-print className={cells.buttons}>
        <RowButtons t={t} driver={driver} answer={answer} isTabStop={isTabStop} {...actions} />
      </td>
    </tr>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above
  )
})
