import { ChevronDown, ClipboardPaste, FileUp, UserPlus } from "lucide-react"
import { useTranslation } from "react-i18next"
import { Button, buttonStyles } from "~/ui/button"
import { Menu, MenuItem } from "~/ui/menu"

type AddMenuProps = {
  onAdd: () => void
  onImport: (mode: "paste" | "file") => void
  /** Before the ways to add many open: pointed at or focused. */
  onNear: () => void
}

/** The button that adds a driver, and beside it the ways to add many. */
export function AddMenu({ onAdd, onImport, onNear }: AddMenuProps) {
  const { t } = useTranslation()
  return (
    <span className="flex">
      <Button onClick={onAdd} className="rounded-r-none! whitespace-nowrap" icon={UserPlus}>
        {t("drivers.add")}
      </Button>
      <Menu
        aria-label={t("drivers.import.menu")}
        title={t("drivers.import.menu")}
        onPointerEnter={onNear}
        onFocus={onNear}
        className={`${buttonStyles({})} w-11 rounded-l-none! border-l border-l-on-brand/40 px-0!`}
        trigger={<ChevronDown aria-hidden className="size-5" />}
      >
        <MenuItem icon={ClipboardPaste} onSelect={() => onImport("paste")}>
          {t("drivers.import.fromText")}
        </MenuItem>
        <MenuItem icon={FileUp} onSelect={() => onImport("file")}>
          {t("drivers.import.fromFile")}
        </MenuItem>
      </Menu>
    </span>
  )
}
