/** Schemas of the password forms. The messages are keys, which the forms translate. */

import * as v from "valibot"
import { vNewPasswordIn, vPasswordChangeIn } from "~/api/valibot.gen"
import { confirmationMatches, countCharacters, email, meetsPasswordRules } from "./credentials"

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
