import { OctagonAlert } from "lucide-react"
import { useEffect } from "react"
import { Trans, useTranslation } from "react-i18next"
import { Navigate, useSearchParams } from "react-router"
import type { OrderOut } from "~/api/types.gen"
import { refreshAfterPayment } from "~/entities/subscription/use-subscription"
import { ButtonLink } from "~/ui/button-link"
import { ContactLink } from "~/ui/contact-link"
import { retryPath, successPath } from "./payment-paths"
import { ResultCard } from "./result-card"
import { useOrderStatus } from "./use-order-status"

/** A failed payment, with the way to try again. */
export default function PaymentFailed() {
  const orderId = useSearchParams()[0].get("order")
  return orderId ? <FailedOrder orderId={orderId} /> : <FailureCard hint="failedHint" />
}

function FailedOrder({ orderId }: { orderId: string }) {
  const { order } = useOrderStatus(orderId)
  const state = order.data?.state

  useEffect(() => {
    if (state) refreshAfterPayment()
  }, [state])

  // A late payment counts, too.
  if (state === "paid") return <Navigate to={successPath(orderId)} replace />
  const hint = state === "void" ? "voidHint" : "failedHint"
  return <FailureCard order={order.data} hint={state === "expired" ? "expiredHint" : hint} />
}

type FailureCardProps = {
  order?: OrderOut | undefined
  hint: "failedHint" | "expiredHint" | "voidHint"
}

function FailureCard({ order, hint }: FailureCardProps) {
  const { t } = useTranslation()
  return (
    <ResultCard
      icon={OctagonAlert}
      iconClass="text-withheld"
      title={t("subscription.result.failed")}
      titleLang="en"
      action={
        <ButtonLink to={order ? retryPath(order) : "/panel/subscription"}>
          {t("subscription.result.again")}
        </ButtonLink>
      }
    >
      <p className="font-semibold">{t("subscription.result.failedText")}</p>
      <p>{t(`subscription.result.${hint}`)}</p>
      <p className="text-sm wrap-anywhere text-ink-soft">
        <Trans i18nKey="subscription.result.write" components={{ contact: <ContactLink /> }} />
      </p>
    </ResultCard>
  )
}
