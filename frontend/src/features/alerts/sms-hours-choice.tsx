import { useTranslation } from "react-i18next"
import type { SmsHoursOut } from "~/api/types.gen"
import { Select } from "~/ui/select"

const hours = Array.from({ length: 24 }, (_, hour) => hour)
const workingDay: SmsHoursOut = { start: 6, end: 18 }
const anyTime: SmsHoursOut = { start: 0, end: 0 }

type Mode = "day" | "always" | "own"

const modeOf = (chosen: SmsHoursOut | null): Mode => {
  if (!chosen) return "day"
  return chosen.start === chosen.end ? "always" : "own"
}

const clockTime = (hour: number) => `${hour}:00`

type SmsHoursProps = { chosen: SmsHoursOut | null; smsFromHour: number }

/** "nie w nocy (22:00–6:00)", "zawsze" or "6:00–18:00". */
export function SmsHours({ chosen, smsFromHour }: SmsHoursProps) {
  const { t } = useTranslation()
  const mode = modeOf(chosen)
  if (mode === "own" && chosen) {
    return (
      <span className="figures whitespace-nowrap">
        {clockTime(chosen.start)}–{clockTime(chosen.end)}
      </span>
    )
  }
  // Hour 0: this installation has no night.
  const text =
    mode === "always" || smsFromHour === 0
      ? t("notifications.recipients.hours.always")
      : t("notifications.recipients.hours.day", { until: clockTime(smsFromHour) })
  return <span>{text}</span>
}

/** In which hours the user wants SMS. Hours past midnight are those of a night shift. */
export function SmsHoursChoice({
  chosen,
  smsFromHour,
  onChange,
}: SmsHoursProps & { onChange: (hours: SmsHoursOut | null) => void }) {
  const { t } = useTranslation()
  const mode = modeOf(chosen)
  const own = chosen ?? workingDay

  const choose = (next: Mode) =>
    onChange(next === "day" ? null : next === "always" ? anyTime : workingDay)
  // Two equal hours would mean "always".
  const changeHour = (key: keyof SmsHoursOut, value: number) => {
    const next = { ...own, [key]: value }
    const other = key === "start" ? "end" : "start"
    onChange(next.start === next.end ? { ...next, [other]: (value + 1) % 24 } : next)
  }

  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        aria-label={t("notifications.recipients.hours.label")}
        value={mode}
        onChange={({ target }) => choose(target.value as Mode)}
      >
        {smsFromHour > 0 && (
          <option value="day">
            {t("notifications.recipients.hours.day", { until: clockTime(smsFromHour) })}
          </option>
        )}
        {smsFromHour === 0 && mode === "day" && (
          <option value="day">{t("notifications.recipients.hours.always")}</option>
        )}
        {(smsFromHour > 0 || mode !== "day") && (
          <option value="always">{t("notifications.recipients.hours.always")}</option>
        )}
        <option value="own">{t("notifications.recipients.hours.own")}</option>
      </Select>
      {mode === "own" && (
        <>
          <HourSelect
            label={t("notifications.recipients.hours.from")}
            value={own.start}
            onChange={(hour) => changeHour("start", hour)}
          />
          <HourSelect
            label={t("notifications.recipients.hours.to")}
            value={own.end}
            onChange={(hour) => changeHour("end", hour)}
          />
        </>
      )}
    </div>
  )
}

type HourSelectProps = { label: string; value: number; onChange: (hour: number) => void }

function HourSelect({ label, value, onChange }: HourSelectProps) {
  return (
    <Select
      aria-label={label}
      className="figures"
      value={value}
      onChange={({ target }) => onChange(Number(target.value))}
    >
      {hours.map((hour) => (
        <option key={hour} value={hour}>
          {clockTime(hour)}
        </option>
      ))}
    </Select>
  )
}
