import { Button, type ButtonProps, IconButton, Tooltip } from "@mui/material"
import { type ReactElement, useContext, useLayoutEffect, useRef } from "react"
import { Link } from "react-router"
import { InsideCard } from "./RecordCards.tsx"

type RowButtonProps = Pick<ButtonProps, "disabled" | "onClick"> & {
  label: string
  /** The row's name, for screen readers. */
  name: string
  icon: ReactElement
  danger?: boolean
  to?: string
}

/** A button of a row: an icon in tables; on cards, where nothing hovers, with its label. */
export function RowButton({ label, name, icon, danger, to, ...props }: RowButtonProps) {
  const isInsideCard = useContext(InsideCard)
  const ref = useFocusKeeper()
  const link = to ? { component: Link, to } : {}
  const named = { ...props, ...link, ref, "aria-label": `${label}: ${name}` }
  if (isInsideCard) {
    return (
      <Button
        size="small"
        variant="outlined"
        color={danger ? "error" : "primary"}
        startIcon={icon}
        {...named}
        sx={{ minHeight: 40 }}
      >
        {label}
      </Button>
    )
  }
  return (
    <Tooltip title={label}>
      <span>
        <IconButton size="small" color={danger ? "error" : "default"} {...named}>
          {icon}
        </IconButton>
      </span>
    </Tooltip>
  )
}

/** Where the focused button goes away with its row, the keyboard goes on from the content. */
function useFocusKeeper() {
  const ref = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const button = ref.current
    return () => {
      if (button && button === document.activeElement) {
        document.getElementById("main-content")?.focus({ preventScroll: true })
      }
    }
  }, [])
  return ref
}
