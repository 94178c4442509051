import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from "react"
import type { FieldValues, UseFormReturn } from "react-hook-form"
import { deleteDraft, findDraft, registerDraftSource } from "~/lib/drafts"
import { useOptionalUser } from "./use-user"

/**
 * Restores the unsaved values of a form when the user signs in again after the session ended;
 * without a key they are lost.
 */
export function useFormDraft<Fields extends FieldValues>(
  key: string | undefined,
  form: UseFormReturn<Fields>,
): void {
  const email = useOptionalUser()?.email
  const { isDirty } = form.formState
  const isDirtyNow = useRef(isDirty)
  isDirtyNow.current = isDirty

  useEffect(() => {
    if (key === undefined) return
    const draft = findDraft<Fields>(key, email)
    if (draft) form.reset(draft, { keepDefaultValues: true })
    deleteDraft(key)
    return registerDraftSource(key, () => (isDirtyNow.current ? form.getValues() : undefined))
  }, [key, email, form])
}

/** A state that returns when the user signs in again after the session ended. */
export function useStateDraft<State>(
  key: string,
  initial: State,
): [State, Dispatch<SetStateAction<State>>] {
  const email = useOptionalUser()?.email
  const [state, setState] = useState(() => findDraft<State>(key, email) ?? initial)

  useEffect(() => {
    deleteDraft(key)
    return registerDraftSource(key, () => state)
  }, [key, state])

  return [state, setState]
}
