import { valibotResolver } from "@hookform/resolvers/valibot"
import { type FormEvent, type ReactNode, useEffect, useRef } from "react"
import {
  type DefaultValues,
  type FieldError,
  type FieldPath,
  type FieldValues,
  get,
  type UseFormProps,
  type UseFormReturn,
  useForm,
} from "react-hook-form"
import type { GenericSchema } from "valibot"
import { useFormDraft } from "~/hooks/use-draft"
import { fieldErrors } from "~/lib/error-messages"

type ServerFormOptions<Fields extends FieldValues> = Pick<UseFormProps<Fields>, "criteriaMode"> & {
  schema: GenericSchema<Fields, Fields>
  /** In the order of the fields on the screen. */
  defaultValues: NoInfer<Fields>
  /** The mutation that `send` calls. */
  call: { error: unknown }
  send: (fields: Fields) => Promise<unknown>
  onSent?: (fields: Fields) => void
  /** What was typed returns under this name when the user signs in again after the session ended. */
  draft?: string
  /** Puts the focus into the first field when the form appears. */
  autoFocus?: boolean
  /** Puts the focus into the first field after any error; otherwise into a field with an error. */
  refocus?: boolean
  /** The messages about fields in an error, where they are not only the server's own. */
  readErrors?: (error: unknown) => Readonly<Record<string, string | undefined>>
}

type ServerForm<Fields extends FieldValues> = {
  form: UseFormReturn<Fields>
  submit: (event?: FormEvent) => Promise<void>
  /**
   * The properties of a field. `message` is shown while its value breaks the schema, the server's
   * message about the field otherwise.
   */
  field: <Name extends FieldPath<Fields>>(
    name: Name,
    message?: string | ((error: FieldError) => string),
  ) => ReturnType<UseFormReturn<Fields>["register"]> & { error: string | undefined }
  /** The error of the call, unless a field shows it. */
  error: unknown
}

/** A form that is checked by a schema and sent to the server, which may refuse its fields. */
export function useServerForm<Fields extends FieldValues>({
  schema,
  defaultValues,
  call,
  send,
  onSent,
  draft,
  autoFocus = false,
  refocus = false,
  readErrors = fieldErrors,
  ...options
}: ServerFormOptions<Fields>): ServerForm<Fields> {
  const form = useForm<Fields>({
    ...options,
    resolver: valibotResolver(schema),
    defaultValues: defaultValues as DefaultValues<Fields>,
  })
  useFormDraft(draft, form)
  const names = Object.keys(defaultValues) as FieldPath<Fields>[]
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on mount
  useEffect(() => {
    if (autoFocus && names[0]) form.setFocus(names[0])
  }, [])

  // In their order on the screen, in which the first invalid one is looked for.
  for (const name of names) form.register(name)

  // A code submits itself, and its user may press Enter as well.
  const isSending = useRef(false)
  const sendOnce = async (fields: Fields) => {
    if (isSending.current) return
    isSending.current = true
    try {
      await send(fields).then(() => onSent?.(fields), focusAfter)
    } finally {
      isSending.current = false
    }
  }

  const serverErrors = readErrors(call.error)
  const focusAfter = (error: unknown) => {
    const refused = readErrors(error)
    const invalid = refocus ? names[0] : names.find((name) => refused[name])
    if (invalid) form.setFocus(invalid)
  }
  return {
    form,
    submit: form.handleSubmit(sendOnce),
    field: (name, message) => {
      const invalid: FieldError | undefined = get(form.formState.errors, name)
      const text = typeof message === "function" ? invalid && message(invalid) : message
      return { ...form.register(name), error: invalid ? text : serverErrors[name] }
    },
    error: names.some((name) => serverErrors[name]) ? null : call.error,
  }
}

type FormProps = {
  submit: (event: FormEvent) => Promise<void>
  label?: string
  className?: string
  children: ReactNode
}

/** The element of a form that `useServerForm` checks, instead of the browser. */
export function Form({ submit, label, className = "flex flex-col gap-5", children }: FormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit(event)
      }}
      aria-label={label}
      noValidate
      className={className}
    >
      {children}
    </form>
  )
}
