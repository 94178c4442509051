import { useMutation, useQuery } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import {
  addAlertRecipientMutation,
  inviteAlertRecipientMutation,
  listAlertRecipientsOptions,
  listAlertRecipientsQueryKey,
} from "~/api/@tanstack/react-query.gen"
import { changeAlertRecipient, changeOwnAlerts, removeAlertRecipient } from "~/api/sdk.gen"
import type { AlertRecipientsOut, MemberAlertsOut, RecipientOut } from "~/api/types.gen"
import { isApiError } from "~/lib/error-messages"
import { queryClient } from "~/lib/query-client"
import { settingsSaved, useUnsavedChoices, withoutSaved } from "./unsaved-choices"

/** The recipients of alerts, refetched on mount: a person may have confirmed or stopped them. */
export function useAlertRecipients() {
  return useQuery({ ...listAlertRecipientsOptions(), refetchOnMount: "always" })
}

/** What can be changed in a row; a member has no switch of mails there, and other persons no SMS. */
type RowChoice = Partial<
  Pick<MemberAlertsOut, "groups" | "smsHours" | "monthlySummary"> &
    Pick<RecipientOut, "emailEnabled">
>
export type ChangeRow = (choice: RowChoice) => void

/** The row of the user; the others are named by the recipient's id. */
export const ownRow = "own"

const ownChoice = ({ groups, smsHours, monthlySummary }: MemberAlertsOut) => ({
  groups,
  smsHours,
  monthlySummary,
})

function savedChoices({ members, recipients }: AlertRecipientsOut): Record<string, RowChoice> {
  const own = members.find(({ isSelf }) => isSelf)
  return Object.fromEntries([
    ...(own ? [[ownRow, ownChoice(own)]] : []),
    ...recipients.map(({ id, emailEnabled, groups }) => [id, { emailEnabled, groups }]),
  ])
}

/** The changed rows, and the call that saves them, one after another. */
export function useRecipientChoices(list: AlertRecipientsOut) {
  const { t } = useTranslation()
  const saved = savedChoices(list)
  const { unsaved, choose, forget } = useUnsavedChoices("recipients", saved)
  // A row that was removed meanwhile has nothing to save.
  const rows = Object.entries(unsaved).filter(([row]) => row in saved)

  const { mutate, isPending, error } = useMutation({
    meta: settingsSaved(t),
    mutationFn: async () => {
      for (const [row, choice = {}] of rows) {
        try {
          await saveRow(row, withoutSaved(choice, saved[row] ?? {}))
        } catch (error) {
          // The server would refuse the same choice again: it returns to the saved one.
          if (isApiError(error, "last_alert_reader")) forget({ [row]: choice })
          throw error
        }
        forget({ [row]: choice })
      }
    },
  })
  return {
    unsaved: Object.fromEntries(rows),
    change: (row: string, choice: RowChoice) =>
      choose({ [row]: { ...saved[row], ...unsaved[row], ...choice } }),
    save: () => mutate(),
    isPending,
    error,
  }
}

async function saveRow(row: string, body: RowChoice): Promise<void> {
  const options = { body, throwOnError: true } as const
  if (row === ownRow) updateOwn((await changeOwnAlerts(options)).data)
  else
    updateRecipient((await changeAlertRecipient({ ...options, path: { recipient_id: row } })).data)
}

export function useAddRecipient() {
  const { t } = useTranslation()
  return useMutation({
    ...addAlertRecipientMutation(),
    meta: {
      done: ({ email }: RecipientOut) => t("notifications.recipients.invited", { email }),
    },
    onSuccess: (added) =>
      updateList((list) => ({ ...list, recipients: [...list.recipients, added] })),
  })
}

export function useInviteRecipient() {
  const { t } = useTranslation()
  return useMutation({
    ...inviteAlertRecipientMutation(),
    meta: {
      done: ({ email }: RecipientOut) => t("notifications.recipients.invited", { email }),
      failed: t("common.tryLater"),
    },
    onSuccess: (invited) => updateRecipient(invited),
  })
}

export function useRemoveRecipient() {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: async ({ id }: RecipientOut) => {
      const options = { path: { recipient_id: id }, throwOnError: true } as const
      return (await removeAlertRecipient(options)).data
    },
    meta: {
      // The one that was removed: another dialog may be open by now.
      done: (_: unknown, { name }: RecipientOut) => t("notifications.recipients.removed", { name }),
      failed: t("common.tryLater"),
    },
    onSuccess: ({ id }) =>
      updateList((list) => ({
        ...list,
        recipients: list.recipients.filter((one) => one.id !== id),
      })),
  })
}

function updateList(change: (list: AlertRecipientsOut) => AlertRecipientsOut): void {
  queryClient.setQueryData<AlertRecipientsOut>(
    listAlertRecipientsQueryKey(),
    (list) => list && change(list),
  )
}

function updateOwn(own: MemberAlertsOut): void {
  updateList((list) => ({
    ...list,
    members: list.members.map((member) => (member.isSelf ? own : member)),
  }))
}

function updateRecipient(changed: RecipientOut): void {
  updateList((list) => ({
    ...list,
    recipients: list.recipients.map((one) => (one.id === changed.id ? changed : one)),
  }))
}
