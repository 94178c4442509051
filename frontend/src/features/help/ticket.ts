/** A message to the people who help (spec, section 5). */

import * as v from "valibot"

export const vTicketForm = v.object({
  subject: v.pipe(v.string(), v.trim(), v.minLength(1)),
  message: v.pipe(v.string(), v.trim(), v.minLength(10)),
  website: v.string(),
})

export type TicketFields = v.InferOutput<typeof vTicketForm>

export const noTicket: TicketFields = { subject: "", message: "", website: "" }
