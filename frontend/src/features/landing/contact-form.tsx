import { type FormEvent, useRef, useState } from "react"
import type { Language } from "~/lib/language"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { CheckboxField } from "~/ui/checkbox-field"
import { ContactLink } from "~/ui/contact-link"
import { Field, TextAreaField } from "~/ui/field"
import {
  type ContactField,
  type ContactMessage,
  type ContactProblem,
  contactFields,
  sendContactMessage,
} from "./contact-request"
import { Section } from "./section"
import type { LandingTexts } from "./texts"

type ContactTexts = LandingTexts["contact"]
type ContactProps = { texts: ContactTexts; language: Language; onSent: () => void }

/** The form for visitors' messages; once one is sent, its confirmation. */
export function Contact({ texts, language, onSent }: ContactProps) {
  const [isSent, setIsSent] = useState(false)

  const confirm = () => {
    setIsSent(true)
    onSent()
    window.scrollTo({ top: 0 })
  }

  return (
    <Section
      id="contact"
      onBand
      isSplit
      title={texts.title}
      lead={
        <>
          {texts.lead} <ContactLink />.
        </>
      }
    >
      <div>
        <div role="status">
          {isSent && (
            <Alert tone="valid">
              <p className="text-base font-semibold">{texts.sent}</p>
            </Alert>
          )}
        </div>
        {!isSent && <ContactForm texts={texts} language={language} onSent={confirm} />}
      </div>
    </Section>
  )
}

function ContactForm({ texts, language, onSent }: ContactProps) {
  const form = useRef<HTMLFormElement>(null)
  const [hasConsent, setHasConsent] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const [problem, setProblem] = useState<ContactProblem>()

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const message = Object.fromEntries(new FormData(event.currentTarget)) as ContactMessage
    setIsSending(true)
    setProblem(undefined)
    const refusal = await sendContactMessage(message, language)
    setIsSending(false)
    if (!refusal) return onSent()
    setProblem(refusal)
    const firstInvalid = contactFields.find((field) => refusal.fields[field])
    const input = firstInvalid && form.current?.elements.namedItem(firstInvalid)
    if (input instanceof HTMLElement) input.focus()
  }
  const fieldProps = (name: ContactField) => ({
    name,
    label: texts[name],
    required: true,
    error: problem?.fields[name],
  })

  return (
    <form
      ref={form}
      onSubmit={submit}
      aria-label={texts.title}
      className="relative grid gap-5 sm:grid-cols-2"
    >
      <Field autoComplete="name" maxLength={200} {...fieldProps("name")} />
      <Field type="email" autoComplete="email" {...fieldProps("email")} />
      <Field autoComplete="organization" maxLength={200} {...fieldProps("company")} />
      <Field type="number" min={1} max={1_000_000} {...fieldProps("driversCount")} />
      <div className="sm:col-span-2">
        <TextAreaField rows={5} maxLength={5000} {...fieldProps("message")} />
      </div>
      <div aria-hidden className="absolute -left-[200vw] h-px w-px overflow-hidden">
        <input type="text" name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <div className="sm:col-span-2">
        <CheckboxField
          label={<PrivacyLabel text={texts.privacy} />}
          required
          checked={hasConsent}
          onChange={({ target }) => setHasConsent(target.checked)}
        />
      </div>
      {problem && (
        <div className="sm:col-span-2">
          <Alert title={texts.error}>
            <p>{problem.message ?? texts.failed}</p>
          </Alert>
        </div>
      )}
      <Button
        type="submit"
        disabled={!hasConsent || isSending}
        className="justify-self-start max-sm:w-full"
      >
        {isSending ? texts.sending : texts.send}
      </Button>
    </form>
  )
}

/** The text with its <privacy> part as a link to a new tab, so that typed input is kept. */
function PrivacyLabel({ text }: { text: string }) {
  const [before, link, after] = text.split(/<\/?privacy>/)
  return (
    <>
      {before}
      <a href="/privacy" target="_blank" rel="noreferrer" className="underline underline-offset-3">
        {link}
      </a>
      {after}
    </>
  )
}
