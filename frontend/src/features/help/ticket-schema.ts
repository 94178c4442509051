/** A message to support (docs/rules.md). */

import * as v from "valibot"

export const vTicketForm = v.object({
  subject: v.pipe(v.string(), v.trim(), v.minLength(1)),
  message: v.pipe(v.string(), v.trim(), v.minLength(10)),
  website: v.string(),
})

export type TicketFields = v.InferOutput<typeof vTicketForm>
