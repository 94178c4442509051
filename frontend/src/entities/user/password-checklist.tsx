import { Check, Circle, TriangleAlert } from "lucide-react"
import { useTranslation } from "react-i18next"
import { passwordRules } from "./credentials"
import { useCommonPasswordCheck } from "./use-common-password-check"

/** The rules for a new password, ticked off while it is typed. */
export function PasswordChecklist({ password }: { password: string }) {
  const { t } = useTranslation()
  const rules = passwordRules(password)
  const isCommon = useCommonPasswordCheck(password)

  return (
    <div aria-live="polite">
      <p>{t("accounts.password.rules")}</p>
      <ul className="mt-1 flex flex-col gap-0.5">
        {(["length", "uppercase", "digit"] as const).map((rule) => {
          const Icon = rules[rule] ? Check : Circle
          return (
            <li
              key={rule}
              className={
                rules[rule] ? "flex items-center gap-2 text-valid-ink" : "flex items-center gap-2"
              }
            >
              <Icon
                aria-hidden
                className={rules[rule] ? "size-4" : "size-4 p-0.5"}
                strokeWidth={3}
              />
              {t(`accounts.password.${rule}`)}
              <span className="sr-only">
                {t(rules[rule] ? "accounts.password.met" : "accounts.password.unmet")}
              </span>
            </li>
          )
        })}
      </ul>
      {isCommon && (
        <p className="mt-2 flex items-start gap-2 rounded-md bg-caution-soft px-3 py-2 text-caution-ink">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {t("accounts.password.common")}
        </p>
      )}
    </div>
  )
}
