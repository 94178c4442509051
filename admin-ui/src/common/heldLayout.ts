import { createContext, useContext, useEffect } from "react"

/** Called by a dialog that opens in a table; the function it returns, when the dialog closes. */
export const HoldLayout = createContext<() => () => void>(() => () => undefined)

/**
 * Keeps the table around an open dialog as it is. A table that becomes cards replaces its rows,
 * and with them the dialog and what was typed into it.
 */
export function useHeldLayout(): void {
  const hold = useContext(HoldLayout)
  useEffect(() => hold(), [hold])
}
