import type { TranslateFunction } from "react-admin"
import { isForbidden } from "../authProvider.ts"

/**
 * The sentence of a refusal as the server wrote it; else what the operator can do about it. A proxy
 * without a server behind it answers with a page of its own.
 */
export function errorText(error: unknown, translate: TranslateFunction): string {
  const { status, body } = (error ?? {}) as {
    status?: number
    body?: { error?: string; message?: string; fields?: Record<string, string> }
  }
  if (body?.error === "auth_other_account") return translate("console.sessionReplaced")
  if (isForbidden({ status, body })) return translate("console.sessionEnded")
  const fields = Object.values(body?.fields ?? {}).filter((text) => text !== body?.message)
  if (body?.message) return [body.message, ...fields].join(" ")
  if (status === undefined && !navigator.onLine) return translate("console.offline")
  return translate("ra.notification.http_error")
}
