import { createContext } from "react"

/** Whether a user is signed in. The public pages read no more of the session than this. */
export const SignedInContext = createContext(false)
