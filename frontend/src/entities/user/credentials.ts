/** The rules for e-mail addresses and passwords, used by login and registration. */

import * as v from "valibot"
import { vCredentialsIn, vNewPasswordIn, vPasswordChangeIn } from "~/api/valibot.gen"
import { vTyped } from "~/lib/letters"

const email = v.pipe(vTyped, vCredentialsIn.entries.email, v.email())

/** A login only requires a non-empty password: older passwords may follow older rules. */
export const vLogin = v.object({ email, password: v.pipe(v.string(), v.minLength(1)) })

type PasswordRule = "length" | "uppercase" | "digit"

/** The rules for a new password, each with whether it is met (docs/rules.md). */
export function passwordRules(password: string): Record<PasswordRule, boolean> {
  return {
    length: countCharacters(password) >= 8,
    uppercase: /\p{Lu}/u.test(password),
    digit: /[0-9]/.test(password),
  }
}

/** Counts as the server does: a character outside the basic plane is one, not two. */
function countCharacters(text: string): number {
  return Array.from(text).length
}

export function meetsPasswordRules(password: string): boolean {
  return Object.values(passwordRules(password)).every(Boolean)
}

type WithConfirmation = { confirmPassword: string } & Record<string, unknown>

/**
 * Checks that the repeated password matches, whatever else is invalid: a `v.check` of the whole
 * object runs only once every field is valid.
 */
function confirmationMatches<Form extends WithConfirmation>(passwordField: keyof Form & string) {
  return v.rawCheck<Form>(({ dataset, addIssue }) => {
    const form = dataset.value as Form
    if (form[passwordField] === form.confirmPassword) return
    const { confirmPassword: value } = form
    addIssue({
      message: "mismatch",
      path: [{ type: "object", origin: "value", input: form, key: "confirmPassword", value }],
    })
  })
}

export const vRegistrationForm = v.pipe(
  v.object({
    email,
    password: v.pipe(v.string(), v.check(meetsPasswordRules)),
    confirmPassword: v.string(),
    terms: v.pipe(v.boolean(), v.value(true)),
  }),
  confirmationMatches("password"),
)

/** The shortest input the change form accepts as a password at all (docs/rules.md). */
const minPasswordLength = 6

export const vForgotPassword = v.object({ email })

const meetsRules = v.check(meetsPasswordRules, "weak")

export const vResetPassword = v.pipe(
  v.object({
    newPassword: v.pipe(vNewPasswordIn.entries.newPassword, meetsRules),
    confirmPassword: vNewPasswordIn.entries.confirmPassword,
  }),
  confirmationMatches("newPassword"),
)

const hasMinLength = v.check<string, "short">(
  (password) => countCharacters(password) >= minPasswordLength,
  "short",
)

/** All three fields need six characters; the new password must also meet the rules. */
export const vChangePassword = v.pipe(
  v.object({
    currentPassword: v.pipe(vPasswordChangeIn.entries.currentPassword, hasMinLength),
    newPassword: v.pipe(vPasswordChangeIn.entries.newPassword, hasMinLength, meetsRules),
    confirmPassword: v.pipe(vPasswordChangeIn.entries.confirmPassword, hasMinLength),
  }),
  confirmationMatches("newPassword"),
)
