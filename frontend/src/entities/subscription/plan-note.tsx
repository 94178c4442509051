import { useTranslation } from "react-i18next"
import { Alert } from "~/ui/alert"
import { ButtonLink } from "~/ui/button-link"

/** How many drivers the company has, and may have. */
export type PlanUsage = { drivers: number; limit: number }

/** Says before the form is filled in that the plan is full, and where to change it. */
export function PlanNote({ plan }: { plan: PlanUsage }) {
  const { t } = useTranslation()
  if (plan.drivers < plan.limit) return null
  return (
    <Alert
      className="mb-5"
      tone="info"
      action={
        <ButtonLink to="/panel/subscription" variant="secondary" size="sm">
          {t("drivers.plan.extend")}
        </ButtonLink>
      }
    >
      {t("drivers.plan.full")}
    </Alert>
  )
}
