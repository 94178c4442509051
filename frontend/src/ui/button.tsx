import { clsx } from "clsx"
import type { ComponentProps } from "react"
import { Link } from "react-router"
import { Spinner } from "~/ui/spinner"

type Look = {
  variant?: "primary" | "secondary" | "ghost" | "danger" | "rail"
  size?: "md" | "sm" | "icon"
}

const variants = {
  primary: "bg-brand text-on-brand hover:bg-brand-strong",
  secondary: "border border-line-strong bg-surface text-ink hover:bg-sunken",
  ghost: "text-brand hover:bg-brand-soft hover:text-brand-strong",
  danger: "bg-withheld text-on-withheld hover:brightness-90",
  rail: "text-rail-ink-soft hover:bg-rail-raised hover:text-rail-ink focus-visible:outline-rail-ink",
}

const sizes = {
  md: "min-h-11 px-4 py-2 text-base",
  sm: "min-h-9 px-3 py-1 text-sm",
  icon: "size-10 shrink-0",
}

export function buttonLook({ variant = "primary", size = "md" }: Look): string {
  return clsx(
    "inline-flex items-center justify-center gap-2 rounded-md font-semibold transition-colors",
    "disabled:cursor-not-allowed disabled:opacity-55 aria-busy:cursor-progress",
    variants[variant],
    sizes[size],
  )
}

type ButtonProps = ComponentProps<"button"> & Look & { loading?: boolean }

/** A button; while `loading` it keeps its name and focus but does nothing. */
export function Button({
  variant,
  size,
  loading = false,
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
      className={clsx(buttonLook({ variant, size }), className)}
    >
      {loading && <Spinner small />}
      {children}
    </button>
  )
}

export function ButtonLink({
  variant,
  size,
  className,
  ...rest
}: ComponentProps<typeof Link> & Look) {
  return <Link {...rest} className={clsx(buttonLook({ variant, size }), className)} />
}
