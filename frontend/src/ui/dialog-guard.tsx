import { createContext, type RefObject, use, useEffect, useRef, useState } from "react"
import { useBlocker } from "react-router"

type Guard = {
  /** Whether closing the dialog would lose typed input. */
  unsaved: RefObject<boolean>
  /** Closes the dialog, or asks first. */
  onBack: () => void
}

export const GuardContext = createContext<Guard | null>(null)

/** For the content of a dialog: while it is dirty, closing by accident asks first. */
export function useUnsavedGuard(isDirty: boolean): void {
  const guard = use(GuardContext)
  const unsaved = guard?.unsaved
  const onBack = useRef(guard?.onBack)
  onBack.current = guard?.onBack

  useEffect(() => {
    if (!unsaved) return
    unsaved.current = isDirty
    return () => {
      unsaved.current = false
    }
  }, [unsaved, isDirty])

  // A page that was opened directly has nothing of ours behind it: Back would leave the document,
  // which nothing can stop. An entry of the same address is put in between, beside the router, which
  // takes the way back for a navigation to where it is.
  useEffect(() => {
    if (!unsaved || !isFirstEntry()) return
    const addEntry = () => window.history.pushState({ ...window.history.state, guard: true }, "")
    if (!window.history.state.guard) addEntry()
    const handleBack = () => {
      if (unsaved.current) addEntry()
      onBack.current?.()
    }
    window.addEventListener("popstate", handleBack)
    return () => window.removeEventListener("popstate", handleBack)
  }, [unsaved])
}

/** While it is mounted, the browser's Back calls `onBack` and leaves no page. */
export function BackGuard({ onBack }: { onBack: () => void }) {
  const [isFirst] = useState(isFirstEntry)
  const blocker = useBlocker(({ historyAction }) => historyAction === "POP" && !isFirst)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that it blocks
  useEffect(() => {
    if (blocker.state !== "blocked") return
    blocker.reset()
    onBack()
  }, [blocker.state])
  return null
}

/** Whether the application's history begins here: the router numbers its entries. */
function isFirstEntry(): boolean {
  return window.history.state?.idx === 0
}
