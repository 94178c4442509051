/** The serial number of a driving licence: two capital letters and six digits, ASCII only. */

const separators = /[\s\u00ad\u200b\-\u2010-\u2015]+/g

/**
 * Upper-cases a to z only: `toUpperCase` would turn "ß" into "SS" and "ı" into "I", and so make a
 * valid number out of an invalid one.
 */
export function upperCaseAscii(text: string): string {
  return text.replace(/[a-z]/g, (letter) => letter.toUpperCase())
}

/** The number without the blanks and dashes that people write into it, in capitals. */
export function cleanLicenceNumber(text: string): string {
  return upperCaseAscii(text.replace(separators, ""))
}

/**
 * Whether it looks like the number of field 5, `00123/15/1465`: that is in front of the card, and
 * the register is asked by the number of the blank, on its back.
 */
export function isFieldFive(text: string): boolean {
  return /^\d{5}|^\d+\//.test(text.replace(separators, ""))
}
