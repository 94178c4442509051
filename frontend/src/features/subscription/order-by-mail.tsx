import { Mail } from "lucide-react"
import { Trans, useTranslation } from "react-i18next"
import type { SubscriptionOut } from "~/api/types.gen"
import { contactEmail } from "~/shared/brand"
import { buttonLook } from "~/ui/button"
import { Card } from "~/ui/card"
import { isActive } from "./use-subscription"

/** The way on for whoever wants a plan: nothing can be ordered here yet, so a person answers. */
export function OrderByMail({ subscription }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const mail = `mailto:${contactEmail}`

  return (
    <Card className="flex flex-col items-start gap-4 p-5 sm:p-6">
      <h2 className="text-lg">{t("subscription.order.title")}</h2>
      <div className="flex max-w-2xl flex-col gap-2 text-ink-soft">
        <p>{t("subscription.order.price")}</p>
        <p>{t("subscription.order.how")}</p>
        {!isActive(subscription) && <p>{t("subscription.order.kept")}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <a
          href={`${mail}?subject=${encodeURIComponent(t("subscription.order.subject"))}`}
          className={buttonLook({})}
        >
          <Mail aria-hidden className="size-5" />
          {t("subscription.order.action")}
        </a>
        <p className="text-sm wrap-anywhere">
          <Trans
            t={t}
            i18nKey="subscription.order.address"
            values={{ address: contactEmail }}
            components={{
              // biome-ignore lint/a11y/useAnchorContent: the text of the catalogue fills it
              mail: <a href={mail} className="font-semibold text-brand underline" />,
            }}
          />
        </p>
      </div>
    </Card>
  )
}
