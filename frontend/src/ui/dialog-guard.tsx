import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useRef,
  useState,
} from "react"
import { useTranslation } from "react-i18next"
import { useBlocker } from "react-router"
import { ConfirmDialog } from "./confirm-dialog"

type Guard = {
  /** Whether closing the dialog, or leaving the page, would lose typed input. */
  unsaved: RefObject<boolean>
  /** Of a dialog: closes it, or asks first. */
  onBack?: () => void
}

export const GuardContext = createContext<Guard | null>(null)

/**
 * For the content of a dialog or a `PageGuard`: while it is dirty, leaving it asks first, unless the
 * returned function was called: the input is saved.
 */
export function useUnsavedGuard(isDirty: boolean): () => void {
  const guard = use(GuardContext)
  const unsaved = guard?.unsaved
  const isInDialog = guard?.onBack !== undefined
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
    if (!unsaved || !isInDialog || !isFirstEntry()) return
    const addEntry = () => window.history.pushState({ ...window.history.state, guard: true }, "")
    if (!window.history.state.guard) addEntry()
    const handleBack = () => {
      if (unsaved.current) addEntry()
      onBack.current?.()
    }
    window.addEventListener("popstate", handleBack)
    return () => window.removeEventListener("popstate", handleBack)
  }, [unsaved, isInDialog])

  return () => {
    if (unsaved) unsaved.current = false
  }
}

/** For a form on a page: leaving the page asks first, but for the end of the session, which keeps drafts. */
export function PageGuard({ children }: { children: ReactNode }) {
  const unsaved = useRef(false)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation: { pathname } }) =>
      unsaved.current && pathname !== currentLocation.pathname && !pathname.startsWith("/auth/"),
  )
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => unsaved.current && event.preventDefault()
    window.addEventListener("beforeunload", ask)
    return () => window.removeEventListener("beforeunload", ask)
  }, [])
  return (
    <GuardContext value={{ unsaved }}>
      {children}
      {blocker.state === "blocked" && (
        <UnsavedQuestion onKeep={blocker.reset} onDiscard={blocker.proceed} />
      )}
    </GuardContext>
  )
}

/** Whether typed input may be lost. */
export function UnsavedQuestion(props: { onKeep: () => void; onDiscard: () => void }) {
  const { t } = useTranslation()
  return (
    <ConfirmDialog
      onClose={props.onKeep}
      title={t("common.unsaved.title")}
      description={t("common.unsaved.text")}
      confirmLabel={t("common.unsaved.discard")}
      cancelLabel={t("common.unsaved.keep")}
      onConfirm={props.onDiscard}
      loading={false}
    />
  )
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
