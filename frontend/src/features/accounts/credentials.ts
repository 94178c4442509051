/** The rules of e-mail and password, shared by login and registration. */

import * as v from "valibot"
import { vCredentialsIn } from "~/api/valibot.gen"

export const email = v.pipe(vCredentialsIn.entries.email, v.trim(), v.email())

/** A login asks for no more than that something was typed: older passwords may follow older rules. */
export const vLogin = v.object({ email, password: v.pipe(v.string(), v.minLength(1)) })

export type Credentials = v.InferOutput<typeof vLogin>

export type PasswordRule = "length" | "uppercase" | "digit"

/** What a new password must have, each with whether it does (spec section 5). */
export function passwordRules(password: string): Record<PasswordRule, boolean> {
  return {
    length: password.length >= 8,
    uppercase: /\p{Lu}/u.test(password),
    digit: /[0-9]/.test(password),
  }
}

export function isAcceptable(password: string): boolean {
  return Object.values(passwordRules(password)).every(Boolean)
}

type Repeated = { confirmPassword: string } & Record<string, unknown>

/**
 * Whether the repeated password is the first one, at once: valibot's own checks of two fields wait
 * until every other field is right.
 */
export function sameAs<Form extends Repeated>(first: keyof Form & string) {
  return v.rawCheck<Form>(({ dataset, addIssue }) => {
    const form = dataset.value as Form
    if (form[first] === form.confirmPassword) return
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
    password: v.pipe(v.string(), v.check(isAcceptable)),
    confirmPassword: v.string(),
    terms: v.pipe(v.boolean(), v.value(true)),
  }),
  sameAs("password"),
)

export type RegistrationForm = v.InferOutput<typeof vRegistrationForm>
