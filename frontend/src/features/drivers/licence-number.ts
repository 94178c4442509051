/** A licence's serial number: two capital letters, six digits, plain ASCII. */

/**
 * Small letters become capital ones, a to z alone: `toUpperCase` would turn "ß" into "SS" and
 * "ı" into "I", and make a valid number of what nobody typed.
 */
export function capitals(typed: string): string {
  return typed.replace(/[a-z]/g, (letter) => letter.toUpperCase())
}

/** Shows capitals while a number is typed, and leaves the caret where it is. */
export function capitalise({ currentTarget: input }: { currentTarget: HTMLInputElement }): void {
  const { value, selectionStart, selectionEnd } = input
  if (capitals(value) === value) return
  input.value = capitals(value)
  input.setSelectionRange(selectionStart, selectionEnd)
}
