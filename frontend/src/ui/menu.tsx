import type { LucideIcon } from "lucide-react"
import { DropdownMenu as Radix } from "radix-ui"
import type { ComponentProps, ReactNode } from "react"

type MenuProps = ComponentProps<typeof Radix.Trigger> & {
  trigger: ReactNode
  defaultOpen?: boolean
}

/**
 * A button that opens a list of actions; the other properties are the button's. Not modal: Radix
 * would lock scrolling with an injected style element, which our CSP forbids.
 */
export function Menu({ trigger, defaultOpen, children, ...button }: MenuProps) {
  return (
    <Radix.Root modal={false} defaultOpen={defaultOpen}>
      <Radix.Trigger {...button}>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          // Escape closes the menu alone, not the panel that it is in.
          onKeyDown={(event) => event.key === "Escape" && event.stopPropagation()}
          className="z-50 min-w-56 animate-rise-in rounded-md border border-line-strong bg-raised p-1 text-ink shadow-raised focus:outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

type MenuItemProps = {
  icon: LucideIcon
  onSelect: () => void
  danger?: boolean
  children: ReactNode
}

/** Below a line, so that no slip of the hand removes anything. */
const dangerClasses =
  "relative text-withheld-ink not-first:mt-2 not-first:before:absolute not-first:before:inset-x-0 not-first:before:-top-1 not-first:before:border-t not-first:before:border-line"

export function MenuItem({ icon: Icon, onSelect, danger = false, children }: MenuItemProps) {
  return (
    <Radix.Item
      onSelect={onSelect}
      className={`flex min-h-11 cursor-pointer items-center gap-3 rounded-sm px-3 py-2 font-medium outline-none data-highlighted:bg-sunken ${danger ? dangerClasses : ""}`}
    >
      <Icon aria-hidden className="size-5 shrink-0" />
      {children}
    </Radix.Item>
  )
}
