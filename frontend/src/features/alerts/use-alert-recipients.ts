import { useMutation, useQuery } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import {
  addAlertRecipientMutation,
  changeAlertRecipientMutation,
  changeOwnAlertsMutation,
  inviteAlertRecipientMutation,
  listAlertRecipientsOptions,
  listAlertRecipientsQueryKey,
} from "~/api/@tanstack/react-query.gen"
import { removeAlertRecipient } from "~/api/sdk.gen"
import type {
  AlertRecipientsOut,
  MemberAlertsOut,
  OwnAlertsPatch,
  RecipientOut,
  RecipientPatch,
} from "~/api/types.gen"
import { errorMessage } from "~/lib/error-messages"
import { queryClient } from "~/lib/query-client"
import { showToast } from "~/lib/toasts"
import { updateCachedUser } from "./use-notification-settings"

/** The recipients of alerts, refetched on mount: a person may have confirmed or stopped them. */
export function useAlertRecipients() {
  return useQuery({ ...listAlertRecipientsOptions(), refetchOnMount: "always" })
}

/** Changes the user's own alerts: in the list, and in the session where the channels are. */
export function useChangeOwnAlerts() {
  return useMutation({
    ...changeOwnAlertsMutation(),
    onSuccess: (own) => {
      updateCachedUser({
        emailNotificationsEnabled: own.emailEnabled,
        smsNotificationsEnabled: own.smsEnabled,
        phoneNumber: own.phoneNumber,
        phoneVerified: own.phoneVerified,
        emailProblem: own.emailProblem,
      })
      updateOwn(own)
    },
  })
}

/**
 * Saves a choice at once. It is shown before the server has answered, and taken back if the server
 * refuses it; the toast takes it back on request.
 */
export function useSaveOwnAlerts() {
  const { mutateAsync } = useChangeOwnAlerts()
  const report = useSaveReport()

  return function save(patch: OwnAlertsPatch, undo?: OwnAlertsPatch) {
    const before = queryClient.getQueryData<AlertRecipientsOut>(listAlertRecipientsQueryKey())
    const own = before?.members.find((member) => member.isSelf)
    if (own) updateOwn({ ...own, ...patch } as MemberAlertsOut)
    mutateAsync({ body: patch }).then(
      () => report.saved(undo && (() => save(undo))),
      (error) => {
        if (own) updateOwn(own)
        report.failed(error)
      },
    )
  }
}

/** The same for a person without an account. */
export function useSaveRecipient() {
  const { mutateAsync } = useMutation(changeAlertRecipientMutation())
  const report = useSaveReport()

  return function save(recipient: RecipientOut, patch: RecipientPatch, undo?: RecipientPatch) {
    updateRecipient({ ...recipient, ...patch } as RecipientOut)
    mutateAsync({ path: { recipient_id: recipient.id }, body: patch }).then(
      (saved) => {
        updateRecipient(saved)
        report.saved(undo && (() => save(saved, undo)))
      },
      (error) => {
        updateRecipient(recipient)
        report.failed(error)
      },
    )
  }
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

/** Says that a choice was saved, with a way back, or why it was not. */
export function useSaveReport() {
  const { t } = useTranslation()
  return {
    saved: (undo: (() => void) | undefined) =>
      showToast({
        title: t("common.success"),
        description: t("notifications.settings.saved"),
        ...(undo && {
          action: { label: t("notifications.undo"), onUndo: undo, onExpire: () => undefined },
        }),
      }),
    failed: (error: unknown) =>
      showToast({
        tone: "error",
        title: t("common.error"),
        description: t("notifications.settings.failed"),
        detail: errorMessage(t, error, t("common.tryLater")),
      }),
  }
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
