import type { FormEvent, InputEvent, SyntheticEvent } from "react"

type TextInput = HTMLInputElement | HTMLTextAreaElement

/** Before a paste or drop: a text is cleaned before its length is limited, and a part of a number is another number. */
export function liftLimit({ currentTarget: input }: SyntheticEvent<TextInput>): void {
  input.removeAttribute("maxlength")
}

/** The same before a text that enters at once without a paste: dictated, suggested, or by a program. */
export function liftLimitForText(event: InputEvent<TextInput>): void {
  if (event.data.length > 1) liftLimit(event)
}

/** Cleans a field's text as it is entered, and keeps the caret behind the same letter. */
export function cleanInput(clean: (text: string) => string, maxLength: number | undefined) {
  return ({ currentTarget: input }: FormEvent<TextInput>): void => {
    if (maxLength !== undefined) input.maxLength = maxLength
    const { value, selectionStart } = input
    const cleaned = clean(value)
    if (cleaned === value) return
    const caret = clean(value.slice(0, selectionStart ?? value.length)).length
    input.value = cleaned
    input.setSelectionRange(caret, caret)
  }
}
