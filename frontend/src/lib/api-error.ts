/** The error of a failed request. */

import type { Problem } from "~/api/types.gen"
import type { Language } from "./language"

/** The status without a response: the network failed, or the server closed the connection. */
const noResponse = 0

export class ApiError extends Error {
  readonly status: number
  /**
   * The server's stable error key; "offline" or "unreachable" without a response, "" if the body is
   * not JSON.
   */
  readonly key: string
  /** The server's message for users, if it sent one. */
  readonly userMessage: string | undefined
  readonly fields: Readonly<Record<string, string>>
  /** The language of the messages. */
  readonly language: Language
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined

  constructor(
    body: unknown,
    response: Response | undefined,
    language: Language,
    { isUnsent = false } = {},
  ) {
    super(technicalMessage(body, response))
    const problem = parseProblem(body)
    this.name = "ApiError"
    this.status = response?.status ?? noResponse
    this.key = response ? (problem?.error ?? "") : isUnsent ? "offline" : "unreachable"
    this.userMessage = problem?.message || undefined
    this.fields = problem?.fields ?? {}
    this.language = language
    this.retryAfter = parseRetryAfter(response?.headers.get("Retry-After"))
  }
}

/** For logs and tests: status and status text from 500 on, else status and body. */
function technicalMessage(body: unknown, response: Response | undefined): string {
  if (!response) return body instanceof Error ? body.message : "no answer"
  if (response.status >= 500) return `${response.status} ${response.statusText}`.trim()
  return `${response.status} ${typeof body === "string" ? body : JSON.stringify(body)}`.trim()
}

function parseProblem(body: unknown): Partial<Problem> | undefined {
  if (typeof body !== "object" || body === null || body instanceof Error) return undefined
  const { error, message, fields } = body as Record<string, unknown>
  return {
    error: typeof error === "string" ? error : undefined,
    message: typeof message === "string" ? message : undefined,
    fields: stringFields(fields),
  }
}

function stringFields(fields: unknown): Record<string, string> {
  if (typeof fields !== "object" || fields === null) return {}
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => {
      return typeof entry[1] === "string"
    }),
  )
}

function parseRetryAfter(header: string | null | undefined): number | undefined {
  if (!header) return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds))
  const retryAt = Date.parse(header)
  return Number.isNaN(retryAt) ? undefined : Math.max(0, Math.ceil((retryAt - Date.now()) / 1000))
}
