/** The rules of e-mail and password, shared by login and registration. */

import * as v from "valibot"
import { vCredentialsIn } from "~/api/valibot.gen"

const email = v.pipe(vCredentialsIn.entries.email, v.trim(), v.email())

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

// The stems under most of the passwords that people use again and again, here and elsewhere.
const commonStems = new Set([
  ..."password passw0rd passwort haslo hasło qwerty qwertyuiop asdfgh zaq12wsx zaq1wsx polska".split(
    " ",
  ),
  ..."warszawa krakow admin administrator welcome witaj witam letmein monkey dragon iloveyou".split(
    " ",
  ),
  ..."kocham kochamcie master football legia lech wisla abc abcd abcdef test testowe user".split(
    " ",
  ),
  ..."login start firma kierowca prawko transport samochod samsung google facebook summer".split(
    " ",
  ),
  ..."winter spring autumn lato zima wiosna jesien styczen luty marzec kwiecien maj".split(" "),
  ..."mateusz bartek kasia monika agnieszka michal marcin natalia karolina damian".split(" "),
])

/** Whether a password looks like one of the commonest; a warning, for only the server has the list. */
export function looksCommon(password: string): boolean {
  const lower = password.toLowerCase()
  if (commonStems.has(lower)) return true
  const stem = lower.replace(/^[\d\W_]+|[\d\W_]+$/g, "")
  return password.length > 0 && (stem === "" || commonStems.has(stem))
}

type Repeated = { confirmPassword: string } & Record<string, unknown>

/**
 * Whether the repeated password is the first one, at once: valibot's own checks of two fields wait
 * until every other field is right.
 */
function sameAs<Form extends Repeated>(first: keyof Form & string) {
  return v.rawCheck<Form>(({ dataset, addIssue }) => {
    const form = dataset.value as Form
    if (form[first] === form.confirmPassword) return
    const { confirmPassword: value } = form
    addIssue({
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
