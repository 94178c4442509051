import * as v from "valibot"
import { vDriverIn } from "~/api/valibot.gen"
import { capitals } from "./licence-number"

const name = (rule: typeof vDriverIn.entries.firstName) => v.pipe(v.string(), v.trim(), rule)

/** What the form accepts: the server's own rules, on trimmed names and a number in capitals. */
export const vDriverForm = v.object({
  firstName: name(vDriverIn.entries.firstName),
  lastName: name(vDriverIn.entries.lastName),
  licenseNumber: v.pipe(v.string(), v.transform(capitals), vDriverIn.entries.licenseNumber),
})

export type DriverForm = v.InferOutput<typeof vDriverForm>
