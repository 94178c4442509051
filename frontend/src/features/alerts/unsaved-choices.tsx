import type { TFunction } from "i18next"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import { queryClient } from "~/lib/query-client"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"

/** What is announced of a call that saves settings. */
export const settingsSaved = (t: TFunction) => ({
  done: t("notifications.settings.saved"),
  ...settingsFailed(t),
})

/** The same where another call's success is announced already. */
export const settingsFailed = (t: TFunction) => ({
  failed: t("common.tryLater"),
  failedCall: t("notifications.settings.failed"),
})

/** The entries of `choices` that are not as in `saved`. */
export function withoutSaved<T extends object>(choices: T, saved: Partial<T>): Partial<T> {
  const text = (value: unknown) => JSON.stringify(value)
  const entries = Object.entries(choices)
  return Object.fromEntries(
    entries.filter(([name, value]) => text(value) !== text(saved[name as keyof T])),
  ) as Partial<T>
}

type Kept<T> = { choices: Partial<T>; saved: T }

/**
 * The choices of one form that differ from the saved ones. They outlive the screen in the query cache,
 * which the end of the session clears; the screen's own state shows a choice at once.
 */
export function useUnsavedChoices<T extends object>(owner: string, saved: T) {
  const queryKey = ["unsavedChoices", owner]
  const read = () => queryClient.getQueryData<Kept<T>>(queryKey)?.choices ?? {}
  const [choices, setChoices] = useState<Partial<T>>(read)
  const keep = (kept: Kept<T>) => {
    queryClient.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY })
    queryClient.setQueryData(queryKey, kept)
    setChoices(kept.choices)
  }
  return {
    // Another tab may have saved the same meanwhile.
    unsaved: withoutSaved(choices, saved),
    choose: (choice: Partial<T>) => {
      keep({ choices: { ...read(), ...choice }, saved })
      window.addEventListener("beforeunload", askBeforeUnload) // added once, however often
    },
    /** Forgets those that were saved, but not one that was changed again meanwhile. */
    forget: (done: Partial<T>) =>
      keep({ choices: withoutSaved(read(), done), saved: { ...saved, ...done } }),
  }
}

/** On every screen, because the choices stay there. */
function askBeforeUnload(event: BeforeUnloadEvent): void {
  const all = queryClient.getQueriesData<Kept<object>>({ queryKey: ["unsavedChoices"] })
  const unsaved = all.map(([, kept]) => kept && withoutSaved(kept.choices, kept.saved))
  if (unsaved.some((choices) => Object.keys(choices ?? {}).length > 0)) event.preventDefault()
}

type SaveButtonProps = { label: string; unsaved: object; saving: boolean; error: unknown }

/** The button of a form of choices, with what became of the last try. */
export function SaveButton({ label, unsaved, saving, error }: SaveButtonProps) {
  const { t } = useTranslation()
  const isChanged = Object.keys(unsaved).length > 0
  return (
    <>
      <ErrorAlert title={t("notifications.settings.failed")} error={error} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" disabled={!isChanged && !saving} loading={saving}>
          {label}
        </Button>
        <p role="status" className="text-sm text-ink-soft">
          {isChanged && !saving && t("notifications.settings.unsaved")}
        </p>
      </div>
    </>
  )
}
