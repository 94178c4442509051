/** The serial number of a driving licence: two capital letters and six digits, ASCII only. */

/**
 * Upper-cases a to z only: `toUpperCase` would turn "ß" into "SS" and "ı" into "I", and so make a
 * valid number out of an invalid one.
 */
export function upperCaseAscii(text: string): string {
  return text.replace(/[a-z]/g, (letter) => letter.toUpperCase())
}

/** Upper-cases an input while the user types, and keeps the caret in place. */
export function upperCaseInput({
  currentTarget: input,
}: {
  currentTarget: HTMLInputElement
}): void {
  const { value, selectionStart, selectionEnd } = input
  if (upperCaseAscii(value) === value) return
  input.value = upperCaseAscii(value)
  input.setSelectionRange(selectionStart, selectionEnd)
}
