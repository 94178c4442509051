import { Send, Trash2 } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { RecipientOut } from "~/api/types.gen"
import { useProductNow } from "~/hooks/use-product-now"
import { formatDateTime } from "~/lib/dates"
import { Badge, type BadgeTone } from "~/ui/badge"
import { Button } from "~/ui/button"
import { EmailAddress } from "~/ui/email-address"
import { GroupChoice } from "./group-choice"
import { PersonCell, RecipientCell, recipientRowClasses } from "./recipient-cell"
import { type ChangeRow, useInviteRecipient } from "./use-alert-recipients"

type RecipientRowProps = {
  recipient: RecipientOut
  readOnly: boolean
  onChange: ChangeRow
  onRemove: () => void
}

/** A person without an account. */
export function RecipientRow({ recipient, readOnly, onChange, onRemove }: RecipientRowProps) {
  const { t } = useTranslation()
  const invite = useInviteRecipient()
  const { name, email, state, emailEnabled, emailProblem, groups } = recipient
  const canInvite = state === "waiting" || (state === "active" && emailProblem !== null)

  return (
    // biome-ignore lint/a11y/noRedundantRoles: shown as a card it would lose it
    <tr role="row" className={recipientRowClasses}>
      <PersonCell>
        <span className="block font-semibold wrap-anywhere">{name}</span>
        <EmailAddress className="block text-sm text-ink-soft">{email}</EmailAddress>
        <span className="mt-1 block">
          <RecipientStatus recipient={recipient} />
        </span>
      </PersonCell>
      <RecipientCell column="email">
        <label className="flex min-h-9 items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={emailEnabled}
            disabled={readOnly || state === "stopped"}
            onChange={({ target }) => onChange({ emailEnabled: target.checked })}
            className="size-5 shrink-0 choice"
          />
          {t("notifications.recipients.mail")}
          <span className="sr-only">: {name}</span>
        </label>
      </RecipientCell>
      <RecipientCell column="sms" />
      <RecipientCell column="groups">
        <GroupChoice
          name={name}
          groups={groups}
          {...(!readOnly &&
            state !== "stopped" && {
              onChange: (chosen) => onChange({ groups: chosen }),
            })}
        />
      </RecipientCell>
      <RecipientCell column="hours" />
      <RecipientCell column="actions">
        {!readOnly && (
          <div className="flex flex-wrap gap-2 @table:justify-end">
            {canInvite && (
              <Button
                variant="secondary"
                size="sm"
                loading={invite.isPending}
                onClick={() => invite.mutate({ path: { recipient_id: recipient.id } })}
                icon={Send}
              >
                {t("notifications.recipients.invite")}
                <span className="sr-only">: {name}</span>
              </Button>
            )}
            <Button variant="ghost" size="sm" onClick={onRemove} icon={Trash2}>
              {t("notifications.recipients.remove")}
              <span className="sr-only">: {name}</span>
            </Button>
          </div>
        )}
      </RecipientCell>
    </tr>
  )
}

function RecipientStatus({ recipient }: { recipient: RecipientOut }) {
  const { t } = useTranslation()
  const now = useProductNow()
  const { state, emailProblem, invitationEndsAt, confirmedAt, stoppedAt } = recipient

  const [tone, text]: [BadgeTone, string] =
    state === "stopped"
      ? [
          "caution",
          t(
            confirmedAt
              ? "notifications.recipients.state.stopped"
              : "notifications.recipients.state.refused",
            { date: formatDateTime(stoppedAt ?? "") },
          ),
        ]
      : emailProblem
        ? ["caution", t(`notifications.recipients.problem.${emailProblem}`)]
        : state === "active"
          ? ["valid", t("notifications.recipients.state.active")]
          : Date.parse(invitationEndsAt) <= now
            ? ["caution", t("notifications.recipients.state.expired")]
            : ["neutral", t("notifications.recipients.state.waiting")]
  return <Badge tone={tone}>{text}</Badge>
}
