import { CircleCheck, Hourglass } from "lucide-react"
import { useEffect } from "react"
import { useTranslation } from "react-i18next"
import { Navigate, useNavigate, useSearchParams } from "react-router"
import type { OrderOut } from "~/api/types.gen"
import {
  isActive,
  refreshAfterPayment,
  useSubscription,
} from "~/entities/subscription/use-subscription"
import { Button } from "~/ui/button"
import { ButtonLink } from "~/ui/button-link"
import { PageHeading } from "~/ui/page-heading"
import { QueryState } from "~/ui/query-state"
import { Spinner } from "~/ui/spinner"
import { failedPath } from "./payment-paths"
import { ResultCard } from "./result-card"
import { isOrderNotFound, useOrderStatus } from "./use-order-status"

/** Milliseconds before the panel opens by itself. */
const redirectDelay = 5000

/** The page that the payment provider returns to. */
export default function PaymentSuccess() {
  const order = useSearchParams()[0].get("order")
  return order ? <OrderPaymentResult key={order} orderId={order} /> : <PaymentResultWithoutOrder />
}

/** Only the order says whether it was paid. */
function OrderPaymentResult({ orderId }: { orderId: string }) {
  const { t } = useTranslation()
  const { order, delayed } = useOrderStatus(orderId)

  if (order.data?.state === "paid") return <PaidOrder kind={order.data.kind} />
  if (order.data?.state === "open") return <PaymentPending order={order.data} delayed={delayed} />
  if (order.data) return <Navigate to={failedPath(orderId)} replace />
  if (order.isPending) return <Spinner label={t("subscription.result.waiting")} />
  return <OrderStatusError order={order} />
}

/** Returned from a provider without an order id: only the subscription's state is known. */
function PaymentResultWithoutOrder() {
  const { data, isError } = useSubscription()
  const status = isActive(data) ? "active" : "pending"
  return <PaymentSucceeded message={data || isError ? status : undefined} />
}

/** The order is paid: everything that it changes is refetched. */
function PaidOrder({ kind }: { kind: OrderOut["kind"] }) {
  useEffect(() => refreshAfterPayment(), [])
  return <PaymentSucceeded message={kind === "upgrade" ? "upgraded" : "active"} />
}

/** `message`: the subscription's state, as far as it is known. */
function PaymentSucceeded({ message }: { message: "active" | "upgraded" | "pending" | undefined }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const openPanel = () => void navigate("/panel")

  // biome-ignore lint/correctness/useExhaustiveDependencies: the timer starts once
  useEffect(() => {
    const timer = window.setTimeout(openPanel, redirectDelay)
    return () => window.clearTimeout(timer)
  }, [])

  return (
    <ResultCard
      icon={CircleCheck}
      iconClass="text-valid"
      title={t("subscription.result.paid")}
      action={<Button onClick={openPanel}>{t("subscription.result.toPanel")}</Button>}
    >
      {message && <p>{t(`subscription.result.${message}`)}</p>}
      <p className="text-sm text-ink-soft">{t("subscription.result.redirect")}</p>
    </ResultCard>
  )
}

function PaymentPending({ order, delayed }: { order: OrderOut; delayed: boolean }) {
  const { t } = useTranslation()
  const pendingMessage = order.method === "blik" && !order.url ? "waitingBlik" : "waitingText"
  return (
    <ResultCard
      icon={Hourglass}
      iconClass="text-brand"
      title={t("subscription.result.waiting")}
      action={
        <ButtonLink variant="secondary" to="/panel/subscription">
          {t("subscription.result.toSubscription")}
        </ButtonLink>
      }
    >
      <p className="flex items-baseline gap-2.5 *:data-spinner:translate-y-0.5">
        <Spinner small />
        {t(`subscription.result.${delayed ? "waitingLong" : pendingMessage}`)}
      </p>
    </ResultCard>
  )
}

function OrderStatusError({ order }: { order: ReturnType<typeof useOrderStatus>["order"] }) {
  const { t } = useTranslation()
  const notFound = isOrderNotFound(order.error)
  return (
    <div className="flex max-w-xl flex-col gap-6">
      <PageHeading
        title={t(notFound ? "subscription.result.unknown" : "subscription.result.waiting")}
      />
      {notFound ? (
        <p>{t("subscription.result.unknownText")}</p>
      ) : (
        <QueryState query={order} errorTitle={t("subscription.result.loadFailed")} />
      )}
      <ButtonLink variant="secondary" to="/panel/subscription" className="self-start">
        {t("subscription.result.toSubscription")}
      </ButtonLink>
    </div>
  )
}
