import * as v from "valibot"
import { vDriverIn } from "~/api/valibot.gen"
import { upperCaseAscii } from "./licence-number"
import { licenceCategories } from "./needed-categories"

const name = v.pipe(v.string(), v.trim(), v.minLength(1))
const licenceNumber = vDriverIn.entries.licenseNumber

/**
 * Names that are not blank, and the server's own rule for the licence number, in upper case. The
 * server's other rules for names are reported by the server, at the field.
 */
export const vDriverForm = v.object({
  firstName: name,
  lastName: name,
  licenseNumber: v.pipe(v.string(), v.transform(upperCaseAscii), licenceNumber),
  neededCategories: v.array(v.picklist(licenceCategories)),
})

export type DriverFields = v.InferOutput<typeof vDriverForm>
