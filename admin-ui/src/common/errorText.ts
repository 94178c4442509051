import type { TranslateFunction } from "react-admin"

/** The sentence of a refusal as the server wrote it, else that the server did not answer. */
export function errorText(error: unknown, translate: TranslateFunction): string {
  const { status, message, body } = (error ?? {}) as {
    status?: number
    message?: string
    body?: { message?: string; fields?: Record<string, string> }
  }
  const fields = Object.values(body?.fields ?? {}).filter((text) => text !== body?.message)
  if (body?.message) return [body.message, ...fields].join(" ")
  if (status) return `${status} ${message ?? ""}`.trim()
  return translate("ra.notification.http_error")
}
