import { useTranslation } from "react-i18next"
import type { MemberAlertsOut } from "~/api/types.gen"
import { Badge } from "~/ui/badge"
import { EmailAddress } from "~/ui/email-address"
import { GroupChoice } from "./group-choice"
import { PersonCell, RecipientCell, recipientRowClasses } from "./recipient-cell"
import { SmsHours, SmsHoursChoice } from "./sms-hours-choice"
import type { ChangeRow } from "./use-alert-recipients"

type MemberRowProps = { member: MemberAlertsOut; smsFromHour: number; onChange: ChangeRow }

/**
 * A member of the company. Each chooses for the own person; e-mail and SMS are switched in the
 * settings beside the list, because they are the account's.
 */
export function MemberRow({ member, smsFromHour, onChange }: MemberRowProps) {
  const { t } = useTranslation()
  const gotSms = member.smsEnabled && member.phoneVerified

  return (
    // biome-ignore lint/a11y/noRedundantRoles: shown as a card it would lose it
    <tr role="row" className={recipientRowClasses}>
      <PersonCell>
        <EmailAddress className="block font-semibold">{member.email}</EmailAddress>
        <span className="block text-sm text-ink-soft">
          {t(member.isSelf ? "notifications.recipients.self" : "notifications.recipients.member")}
        </span>
      </PersonCell>
      <RecipientCell column="email">
        {member.emailProblem ? (
          <Badge tone="caution">
            {t(`notifications.recipients.problem.${member.emailProblem}`)}
          </Badge>
        ) : (
          <OnOff on={member.emailEnabled} />
        )}
      </RecipientCell>
      <RecipientCell column="sms">
        <OnOff on={gotSms} />
      </RecipientCell>
      <RecipientCell column="groups">
        <GroupChoice
          name={member.email}
          groups={member.groups}
          {...(member.isSelf && { onChange: (groups) => onChange({ groups }) })}
        />
        {member.isSelf && (
          <label className="flex min-h-9 items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={member.monthlySummary}
              onChange={({ target }) => onChange({ monthlySummary: target.checked })}
              className="size-5 shrink-0 choice"
            />
            <span>{t("notifications.recipients.monthlySummary")}</span>
          </label>
        )}
      </RecipientCell>
      <RecipientCell column="hours">
        {gotSms &&
          (member.isSelf ? (
            <SmsHoursChoice
              chosen={member.smsHours}
              smsFromHour={smsFromHour}
              onChange={(smsHours) => onChange({ smsHours })}
            />
          ) : (
            <span className="text-sm">
              <SmsHours chosen={member.smsHours} smsFromHour={smsFromHour} />
            </span>
          ))}
      </RecipientCell>
      <RecipientCell column="actions" />
    </tr>
  )
}

function OnOff({ on }: { on: boolean }) {
  const { t } = useTranslation()
  return (
    <span className="text-sm">
      {t(on ? "notifications.recipients.on" : "notifications.recipients.off")}
    </span>
  )
}
