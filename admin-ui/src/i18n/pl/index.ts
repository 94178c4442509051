import { console } from "./console.ts"
import { ra } from "./ra.ts"
import { resources } from "./resources.ts"
import { values } from "./values.ts"

export const polish = { ra, console, resources, values }
