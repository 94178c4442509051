import type { ChangeEvent, ComponentProps } from "react"
import { stripSeparators } from "~/lib/letters"
import { Field } from "./field"

type CodeFieldProps = ComponentProps<typeof Field> & {
  /** A code that is complete when it was typed or pasted is submitted at once. */
  isComplete?: (code: string) => boolean
}

/** A one-time code. */
export function CodeField({ isComplete, onChange, ...field }: CodeFieldProps) {
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    onChange?.(event)
    const { target, nativeEvent } = event
    if (!(nativeEvent instanceof InputEvent)) return
    // Not what a password manager has entered: it submits the form itself.
    const isByHand = nativeEvent.data?.length === 1 || nativeEvent.inputType === "insertFromPaste"
    if (isByHand && isComplete?.(target.value)) target.form?.requestSubmit()
  }
  return (
    <Field
      clean={stripSeparators}
      autoComplete="one-time-code"
      spellCheck={false}
      {...field}
      className="serial text-center text-xl!"
      onChange={change}
    />
  )
}
