/** What the forms about passwords accept. The messages are keys: the forms put them into words. */

import * as v from "valibot"
import { vNewPasswordIn, vPasswordChangeIn } from "~/api/valibot.gen"
import { email, isAcceptable, sameAs } from "./credentials"

/** The shortest text the change form takes for a password at all (spec section 5). */
export const shortest = 6

export const vForgotten = v.object({ email })

const fresh = v.check(isAcceptable, "weak")

export const vNewPassword = v.pipe(
  v.object({
    newPassword: v.pipe(vNewPasswordIn.entries.newPassword, fresh),
    confirmPassword: vNewPasswordIn.entries.confirmPassword,
  }),
  sameAs("newPassword"),
)

const long = v.minLength<string, 6, "short">(shortest, "short")

/** All three need six characters first; then the new one is held to the rules of a new password. */
export const vPasswordChange = v.pipe(
  v.object({
    currentPassword: v.pipe(vPasswordChangeIn.entries.currentPassword, long),
    newPassword: v.pipe(vPasswordChangeIn.entries.newPassword, long, fresh),
    confirmPassword: v.pipe(vPasswordChangeIn.entries.confirmPassword, long),
  }),
  sameAs("newPassword"),
)

export type Forgotten = v.InferOutput<typeof vForgotten>
export type NewPassword = v.InferOutput<typeof vNewPassword>
export type PasswordChange = v.InferOutput<typeof vPasswordChange>
