import { UserPlus } from "lucide-react"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import type { AlertRecipientsOut, RecipientOut } from "~/api/types.gen"
import { useIsImpersonated } from "~/hooks/use-user"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { ConfirmDialog } from "~/ui/confirm-dialog"
import { Dialog } from "~/ui/dialog"
import { QueryState } from "~/ui/query-state"
import { SectionHead } from "~/ui/section-head"
import { AddRecipientForm } from "./add-recipient-form"
import { MemberRow } from "./member-row"
import { RecipientRow } from "./recipient-row"
import { SaveButton } from "./unsaved-choices"
import {
  ownRow,
  useAlertRecipients,
  useRecipientChoices,
  useRemoveRecipient,
} from "./use-alert-recipients"

const columns = ["person", "email", "sms", "groups", "hours", "actions"] as const

/** The recipients of the company's alerts. A table, and cards where it has no room. */
export function AlertRecipients() {
  const { t } = useTranslation()
  const recipients = useAlertRecipients()
  const [adding, setAdding] = useState(false)
  const impersonated = useIsImpersonated()
  return (
    <Card>
      <SectionHead
        title={t("notifications.recipients.title")}
        lead={t("notifications.recipients.lead")}
        action={
          !impersonated && (
            <Button
              variant="secondary"
              size="sm"
              disabled={isFull(recipients.data)}
              onClick={() => setAdding(true)}
              icon={UserPlus}
            >
              {t("notifications.recipients.add")}
            </Button>
          )
        }
      />
      <QueryState
        query={recipients}
        loadingLabel={t("notifications.recipients.loading")}
        errorTitle={t("notifications.recipients.loadFailed")}
        errorClassName="m-5"
        keepData
      >
        {(list) => <RecipientTable list={list} readOnly={impersonated} />}
      </QueryState>
      <Dialog
        open={adding}
        onClose={() => setAdding(false)}
        title={t("notifications.recipients.form.title")}
        description={t("notifications.recipients.form.lead")}
      >
        <AddRecipientForm onDone={() => setAdding(false)} />
      </Dialog>
    </Card>
  )
}

const isFull = (list: AlertRecipientsOut | undefined) =>
  list !== undefined && list.recipients.length >= list.maxRecipients

function RecipientTable({ list, readOnly }: { list: AlertRecipientsOut; readOnly: boolean }) {
  const { t } = useTranslation()
  const [removing, setRemoving] = useState<RecipientOut | null>(null)
  const remove = useRemoveRecipient()
  const form = useRecipientChoices(list)

  const confirmRemoval = (recipient: RecipientOut) =>
    remove.mutate(recipient, { onSettled: () => setRemoving(null) })

  return (
    <>
      {/* The roles stay where the rows are shown as cards: a changed display takes them away. */}
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
      <table
        role="table"
        aria-label={t("notifications.recipients.title")}
        className="block w-full text-left @table:table"
      >
        <thead role="rowgroup" className="sr-only @table:not-sr-only @table:table-header-group">
          <tr role="row" className="border-b border-line text-sm text-ink-soft">
            {columns.map((column) => (
              <th
                key={column}
                role="columnheader"
                scope="col"
                className="px-3 py-2 font-semibold first:pl-5 last:pr-5"
              >
                {t(`notifications.recipients.columns.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block divide-y divide-line @table:table-row-group">
          {list.members.map((member) => (
            <MemberRow
              key={member.email}
              member={member.isSelf ? { ...member, ...form.unsaved[ownRow] } : member}
              smsFromHour={list.smsFromHour}
              onChange={(choice) => form.change(ownRow, choice)}
            />
          ))}
          {list.recipients.map((recipient) => (
            <RecipientRow
              key={recipient.id}
              recipient={{ ...recipient, ...form.unsaved[recipient.id] }}
              readOnly={readOnly}
              onChange={(choice) => form.change(recipient.id, choice)}
              onRemove={() => setRemoving(recipient)}
            />
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
      <form
        aria-label={t("notifications.recipients.title")}
        onSubmit={(event) => {
          event.preventDefault()
          form.save()
        }}
        className="flex flex-col gap-5 border-t border-line p-5"
      >
        <SaveButton
          label={t("notifications.recipients.save")}
          unsaved={form.unsaved}
          saving={form.isPending}
          error={form.error}
        />
      </form>
      {isFull(list) && (
        <p className="border-t border-line px-5 py-4 text-sm text-ink-soft">
          {t("notifications.recipients.full", { limit: list.maxRecipients })}
        </p>
      )}
      {removing && (
        <ConfirmDialog
          onClose={() => setRemoving(null)}
          title={t("notifications.recipients.removeTitle", { name: removing.name })}
          description={t("notifications.recipients.removeText", { email: removing.email })}
          confirmLabel={t("notifications.recipients.remove")}
          loading={remove.isPending}
          onConfirm={() => confirmRemoval(removing)}
        />
      )}
    </>
  )
}
