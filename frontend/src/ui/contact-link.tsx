import { contactEmail } from "~/lib/brand"

/** The contact address in a sentence. */
export function ContactLink({ className = "font-semibold text-brand" }: { className?: string }) {
  return (
    <a
      href={`mailto:${contactEmail}`}
      className={`wrap-anywhere underline underline-offset-3 ${className}`}
    >
      {contactEmail}
    </a>
  )
}
