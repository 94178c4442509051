export const linkClass =
  "font-semibold text-brand underline decoration-1 underline-offset-3 hover:text-brand-strong"
