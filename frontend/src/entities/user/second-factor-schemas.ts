/** Schemas of the forms of two-step verification. */

import * as v from "valibot"

const withoutSpaces = v.transform((text: string) => text.replace(/\s/g, ""))

/** A code of the authenticator app. Spaces in a pasted code are ignored. */
export const vAuthenticatorCode = v.object({
  code: v.pipe(v.string(), withoutSpaces, v.regex(/^[0-9]{6}$/)),
})

/** A code of the authenticator app or a recovery code, however it is typed. */
export const vSecondFactorCode = v.object({
  code: v.pipe(v.string(), withoutSpaces, v.minLength(6)),
})

export const vPassword = v.object({ password: v.pipe(v.string(), v.minLength(1)) })

export const vConsent = v.object({ ...vPassword.entries, ...vSecondFactorCode.entries })

export type ConsentFields = v.InferOutput<typeof vConsent>
