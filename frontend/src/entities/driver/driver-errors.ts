import type { TFunction } from "i18next"
import { ApiError } from "~/lib/api-error"
import { errorMessage, fieldErrors, isApiError } from "~/lib/error-messages"

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
