/** The call behind the contact form. A plain request: the page does without the query client. */

import type { Language } from "~/lib/language"

export const contactFields = ["name", "email", "company", "driversCount", "message"] as const
export type ContactField = (typeof contactFields)[number]

/** `website` is hidden; robots fill it in, and the message is marked as probable spam. */
export type ContactMessage = Record<ContactField | "website", string>

/** The server's message, if it sent one, and its message about each invalid field. */
export type ContactProblem = { message?: string; fields: Partial<Record<ContactField, string>> }

/** Sends the message. Returns undefined on success, else the problem. */
export async function sendContactMessage(
  message: ContactMessage,
  language: Language,
): Promise<ContactProblem | undefined> {
  try {
    const response = await fetch("/api/contact", {
      method: "POST",
      headers: { "Content-Type": "application/json", "Accept-Language": language },
      body: JSON.stringify({ ...message, driversCount: Number(message.driversCount) }),
    })
    return response.ok ? undefined : parseProblem(await response.json())
  } catch {
    return { fields: {} } // no answer, or one that is not JSON
  }
}

function parseProblem(body: unknown): ContactProblem {
  const { message, fields } = Object(body) as Record<string, unknown>
  const entries = Object.entries(Object(fields)).filter(
    (entry): entry is [ContactField, string] =>
      contactFields.some((field) => field === entry[0]) && typeof entry[1] === "string",
  )
  return {
    message: typeof message === "string" && message ? message : undefined,
    fields: Object.fromEntries(entries),
  }
}
