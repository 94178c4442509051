import type { FormEvent } from "react"

/** Cleans an input while the user types or pastes, and keeps the caret behind the same letter. */
export function cleanInput(clean: (text: string) => string) {
  return ({ currentTarget: input }: FormEvent<HTMLInputElement>): void => {
    const { value, selectionStart } = input
    const cleaned = clean(value)
    if (cleaned === value) return
    const caret = clean(value.slice(0, selectionStart ?? value.length)).length
    input.value = cleaned
    input.setSelectionRange(caret, caret)
  }
}
