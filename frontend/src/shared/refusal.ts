/** What a call that did not succeed said, whatever it said it in. */

import type { Problem } from "~/api/types.gen"
import type { Language } from "~/shared/language"

/** No answer at all: the network, or a server that hung up. */
const silent = 0

export class Refusal extends Error {
  readonly status: number
  /** The server's stable key; "unreachable" without an answer, "" when the body is no JSON. */
  readonly key: string
  /** The server's sentence for people, when it sent one. */
  readonly sentence: string | undefined
  readonly fields: Readonly<Record<string, string>>
  /** What the sentences are written in. */
  readonly language: Language
  /** Seconds after which another try makes sense. */
  readonly retryAfter: number | undefined

  constructor(body: unknown, response: Response | undefined, language: Language) {
    super(plainMessage(body, response))
    const problem = asProblem(body)
    this.name = "Refusal"
    this.status = response?.status ?? silent
    this.key = response ? (problem?.error ?? "") : "unreachable"
    this.sentence = problem?.message || undefined
    this.fields = problem?.fields ?? {}
    this.language = language
    this.retryAfter = seconds(response?.headers.get("Retry-After"))
  }
}

/** The status code and status text from 500 on, else the status code and the body's text. */
function plainMessage(body: unknown, response: Response | undefined): string {
  if (!response) return body instanceof Error ? body.message : "no answer"
  if (response.status >= 500) return `${response.status} ${response.statusText}`.trim()
  return `${response.status} ${typeof body === "string" ? body : JSON.stringify(body)}`.trim()
}

function asProblem(body: unknown): Partial<Problem> | undefined {
  if (typeof body !== "object" || body === null || body instanceof Error) return undefined
  const { error, message, fields } = body as Record<string, unknown>
  return {
    error: typeof error === "string" ? error : undefined,
    message: typeof message === "string" ? message : undefined,
    fields: sentences(fields),
  }
}

function sentences(fields: unknown): Record<string, string> {
  if (typeof fields !== "object" || fields === null) return {}
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => {
      return typeof entry[1] === "string"
    }),
  )
}

function seconds(header: string | null | undefined): number | undefined {
  if (!header) return undefined
  const whole = Number(header)
  if (Number.isFinite(whole)) return Math.max(0, Math.ceil(whole))
  const until = Date.parse(header)
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - Date.now()) / 1000))
}
