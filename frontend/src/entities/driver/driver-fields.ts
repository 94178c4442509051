/**
 * The fields of a driver: their rules, the cleaning of the licence number (two capital letters and
 * six digits, ASCII only), and the messages when the server refuses them.
 */

import type { TFunction } from "i18next"
import * as v from "valibot"
import { vDriverIn } from "~/api/valibot.gen"
import { ApiError } from "~/lib/api-error"
import { errorMessage, fieldErrors, isApiError } from "~/lib/error-messages"
import { stripSeparators, vTyped } from "~/lib/letters"
import { licenceCategories } from "./needed-categories"

/**
 * Upper-cases a to z only: `toUpperCase` would turn "ß" into "SS" and "ı" into "I", and so make a
 * valid number out of an invalid one.
 */
function upperCaseAscii(text: string): string {
  return text.replace(/[a-z]/g, (letter) => letter.toUpperCase())
}

/** The number without the blanks and dashes that people write into it, in capitals. */
export function cleanLicenceNumber(text: string): string {
  return upperCaseAscii(stripSeparators(text))
}

/**
 * Whether it looks like the number of field 5, `00123/15/1465`: that is in front of the card, and
 * the register is asked by the number of the blank, on its back.
 */
export function isFieldFive(text: string): boolean {
  return /^(?!\d{6}$)\d{5}|^\d+\//.test(stripSeparators(text))
}

const name = v.pipe(vTyped, v.minLength(1))
const licenceNumber = vDriverIn.entries.licenseNumber

/**
 * Names that are not blank, and the server's own rule for the licence number, in upper case. The
 * server's other rules for names are reported by the server, at the field.
 */
export const vDriverForm = v.object({
  firstName: name,
  lastName: name,
  licenseNumber: v.pipe(v.string(), v.transform(upperCaseAscii), licenceNumber),
  neededCategories: v.array(v.picklist(licenceCategories)),
})

export type DriverFields = v.InferOutput<typeof vDriverForm>

/**
 * The error message of a driver that was not saved (docs/rules.md): the server's for invalid data,
 * ours for a taken number and for the limit, and `fallback` otherwise.
 */
export function driverErrorMessage(t: TFunction, error: unknown, fallback: string): string {
  if (isApiError(error, "invalid_driver_data")) return errorMessage(t, error, fallback)
  if (isApiError(error, "license_number_exists")) return t("drivers.form.licenseNumber.exists")
  if (error instanceof ApiError && /limit/i.test(error.key + error.message))
    return t("drivers.form.limit")
  return fallback
}

/** Field errors: the server's own, except for a taken licence number. */
export function driverFieldErrors(
  t: TFunction,
  error: unknown,
): Readonly<Record<string, string | undefined>> {
  if (!isApiError(error, "license_number_exists")) return fieldErrors(error)
  return { licenseNumber: t("drivers.form.licenseNumber.exists") }
}
