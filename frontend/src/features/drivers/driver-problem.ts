import type { TFunction } from "i18next"
import { fieldProblems, isRefusal, problemSentence } from "~/shared/problem"
import { Refusal } from "~/shared/refusal"

/**
 * What the form says when a driver was not saved (spec section 8): the server's own words for
 * wrong data, ours for a taken number and for the limit, and one default for the rest.
 */
export function driverProblem(t: TFunction, error: unknown, fallback: string): string {
  if (isRefusal(error, "invalid_driver_data")) return problemSentence(t, error, fallback)
  if (isRefusal(error, "license_number_exists")) return t("drivers.form.licenseNumber.exists")
  if (error instanceof Refusal && /limit/i.test(error.key + error.message))
    return t("drivers.form.limit")
  return fallback
}

/** What stands beside the fields: the server's words about each, ours about a taken number. */
export function driverFieldProblems(
  t: TFunction,
  error: unknown,
): Readonly<Record<string, string | undefined>> {
  if (!isRefusal(error, "license_number_exists")) return fieldProblems(error)
  return { licenseNumber: t("drivers.form.licenseNumber.exists") }
}
