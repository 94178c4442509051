import { useTranslation } from "react-i18next"
import type { NoticeGroup } from "~/api/types.gen"

export const noticeGroups: readonly NoticeGroup[] = ["status", "expiry", "billing"]

type GroupChoiceProps = {
  /** The name of the recipient, for screen readers. */
  name: string
  groups: readonly NoticeGroup[]
  /** Without it the groups are shown, and cannot be changed. */
  onChange?: (groups: NoticeGroup[]) => void
}

/** The groups of notices that a recipient gets, as checkboxes. */
export function GroupChoice({ name, groups, onChange }: GroupChoiceProps) {
  const { t } = useTranslation()
  if (!onChange) {
    const chosen = noticeGroups.filter((group) => groups.includes(group))
    return (
      <p className="text-sm">
        {chosen.map((group) => t(`notifications.recipients.groups.${group}`)).join(", ") ||
          t("notifications.recipients.nothing")}
      </p>
    )
  }
  return (
    <fieldset>
      <legend className="sr-only">{t("notifications.recipients.groupsOf", { name })}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {noticeGroups.map((group) => (
          <label key={group} className="flex min-h-9 items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={groups.includes(group)}
              onChange={({ target }) =>
                onChange(
                  noticeGroups.filter((one) =>
                    one === group ? target.checked : groups.includes(one),
                  ),
                )
              }
              className="size-5 shrink-0 choice"
            />
            {t(`notifications.recipients.groups.${group}`)}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
