import { clsx } from "clsx"
import type { LucideIcon } from "lucide-react"
import type { ComponentProps } from "react"
import { Icon } from "./icon"
import { Spinner } from "./spinner"

export type ButtonStyle = {
  variant?: "primary" | "secondary" | "ghost" | "danger" | "sidebar"
  size?: "md" | "sm" | "icon"
}

const variantClasses = {
  primary: "border border-transparent bg-brand text-on-brand hover:bg-brand-strong",
  secondary: "border border-line-strong bg-surface text-ink hover:bg-sunken",
  ghost: "text-brand hover:bg-brand-soft hover:text-brand-strong",
  danger: "border border-transparent bg-withheld text-on-withheld hover:brightness-90",
  sidebar:
    "text-sidebar-ink-soft hover:bg-sidebar-raised hover:text-sidebar-ink focus-visible:outline-sidebar-ink",
}

const sizeClasses = {
  md: "min-h-11 px-4 py-2 text-base",
  sm: "min-h-9 px-3 py-1 text-sm",
  icon: "size-10 shrink-0",
}

export function buttonStyles({ variant = "primary", size = "md" }: ButtonStyle): string {
  return clsx(
    "inline-flex items-center justify-center gap-2 rounded-md text-center font-semibold transition-colors",
    "disabled:cursor-not-allowed disabled:opacity-55 aria-busy:cursor-progress",
    variantClasses[variant],
    sizeClasses[size],
  )
}

type ButtonProps = ComponentProps<"button"> &
  ButtonStyle & {
    loading?: boolean
    /** Before the label, or in its place; a spinner while `loading`. */
    icon?: LucideIcon
  }

/** A button; while `loading` it keeps its label and focus but does nothing. */
export function Button({
  variant,
  size,
  loading = false,
  icon,
  className,
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={loading ? "button" : type}
      aria-busy={loading || undefined}
      onClick={loading ? undefined : onClick}
      className={clsx(buttonStyles({ variant, size }), className)}
    >
      {loading ? (
        <Spinner small />
      ) : (
        icon && <Icon shape={icon} className={size === "sm" ? "size-4" : "size-5"} />
      )}
      {children}
    </button>
  )
}
