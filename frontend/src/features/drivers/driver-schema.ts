import * as v from "valibot"
import { vDriverIn } from "~/api/valibot.gen"
import { capitals } from "./licence-number"

const name = v.pipe(v.string(), v.trim(), v.minLength(1))
const number = vDriverIn.entries.licenseNumber

/**
 * What the form accepts: names that are not blank, and the server's own rule for the number, in
 * capitals. What else the server asks of a name it says itself, beside the field.
 */
export const vDriverForm = v.object({
  firstName: name,
  lastName: name,
  licenseNumber: v.pipe(v.string(), v.transform(capitals), number),
})

export type DriverFields = v.InferOutput<typeof vDriverForm>
