import { clsx } from "clsx"
import type { TFunction } from "i18next"
import {
  Ellipsis,
  History,
  type LucideIcon,
  PanelRightOpen,
  Pencil,
  RefreshCw,
  Trash2,
  UserRoundCheck,
} from "lucide-react"
import { useState } from "react"
import type { DriverSummaryOut } from "~/api/types.gen"
import { fullName } from "~/entities/driver/driver"
import {
  type ActRights,
  type DriverAct,
  type FirstAct,
  firstAct,
  listActs,
} from "~/entities/driver/driver-acts"
import type { MayDrive } from "~/entities/driver/may-drive"
import { Button, buttonStyles } from "~/ui/button"
import { Menu, MenuItem } from "~/ui/menu"

const acts = {
  open: [PanelRightOpen, "drivers.acts.open"],
  acknowledge: [UserRoundCheck, "dashboard.queue.acknowledge"],
  check: [RefreshCw, "verifications.history.check"],
  history: [History, "verifications.history.title"],
  edit: [Pencil, "drivers.page.edit"],
  delete: [Trash2, "drivers.delete.confirm"],
} as const satisfies Record<DriverAct, readonly [LucideIcon, string]>

const firstTexts = {
  acknowledge: "dashboard.queue.acknowledgeOf",
  check: "drivers.acts.checkOf",
  history: "drivers.history",
  edit: "drivers.acts.correctOf",
} as const satisfies Record<FirstAct, string>

export type RowActions = {
  rights: ActRights
  onAct: (act: DriverAct, driver: DriverSummaryOut) => void
  /** The driver who is being checked. */
  checkedId: string | undefined
}

type RowButtonsProps = RowActions & {
  t: TFunction
  driver: DriverSummaryOut
  answer: MayDrive
  isTabStop: boolean
}

/** What the driver needs first, and a menu, mounted where the keyboard is or was clicked: it is slow. */
export function RowButtons(props: RowButtonsProps) {
  const { t, driver, answer, isTabStop, rights, onAct, checkedId } = props
  const [isOpened, setIsOpened] = useState(false)
  const name = fullName(driver)
  const more = t("drivers.more", { name })
  const first = firstAct(driver, answer, rights)
  const firstLabel = t(firstTexts[first], { name })
  const button = {
    tabIndex: isTabStop ? 0 : -1,
    className: "@table:size-9 @table:group-data-dense/table:size-7",
  }
  return (
    <span className="flex items-center justify-end @max-table:-mr-2">
      <Button
        {...button}
        variant="ghost"
        size="icon"
        title={firstLabel}
        aria-label={firstLabel}
        loading={checkedId === driver.id}
        icon={acts[first][0]}
        onClick={() => onAct(first, driver)}
      />
      {isTabStop || isOpened ? (
        <Menu
          {...button}
          defaultOpen={isOpened}
          aria-label={more}
          title={more}
          className={clsx(buttonStyles({ variant: "ghost", size: "icon" }), button.className)}
          trigger={<Ellipsis aria-hidden className="size-5" />}
        >
          {listActs(driver, rights).map((act) => (
            <MenuItem
              key={act}
              icon={acts[act][0]}
              danger={act === "delete"}
              onSelect={() => onAct(act, driver)}
            >
              {t(acts[act][1])}
            </MenuItem>
          ))}
        </Menu>
      ) : (
        <Button
          {...button}
          variant="ghost"
          size="icon"
          title={more}
          aria-label={more}
          aria-haspopup="menu"
          icon={Ellipsis}
          onPointerDown={(event) => {
            if (event.button !== 0) return
            event.preventDefault() // the menu takes the focus
            setIsOpened(true)
          }}
          onClick={() => setIsOpened(true)}
        />
      )}
    </span>
  )
}
