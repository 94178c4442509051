import { Lock } from "lucide-react"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import { ButtonLink } from "~/ui/button-link"
import { Card } from "~/ui/card"

/**
 * Replaces adding and checking without a subscription; `children` is the trial, if available, which
 * then has the only primary button.
 */
export function SubscriptionRequired({ children }: { children?: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Card className="grid lg:grid-cols-2">
      <div className="flex flex-col items-start gap-4 p-5 sm:p-6">
        <div>
          <h2 className="flex items-center gap-2.5 text-lg">
            <Lock aria-hidden className="size-5 shrink-0 text-ink-soft" />
            {t("drivers.subscription.title")}
          </h2>
          <p className="mt-1 text-sm text-ink-soft">{t("drivers.subscription.text")}</p>
        </div>
        <ButtonLink variant={children ? "secondary" : "primary"} to="/panel/subscription">
          {t("drivers.subscription.choose")}
        </ButtonLink>
      </div>
      {children && (
        <div className="border-line p-5 max-lg:border-t sm:p-6 lg:border-l">{children}</div>
      )}
    </Card>
  )
}
