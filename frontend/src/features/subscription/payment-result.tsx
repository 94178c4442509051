import { useQueryClient } from "@tanstack/react-query"
import { CircleCheck, Hourglass, type LucideIcon, OctagonAlert } from "lucide-react"
import { type ReactNode, useEffect } from "react"
import { useTranslation } from "react-i18next"
import { Navigate, useNavigate } from "react-router"
import type { OrderOut } from "~/api/types.gen"
import { contactEmail } from "~/shared/brand"
import { Button, ButtonLink } from "~/ui/button"
import { Card } from "~/ui/card"
import { Failure } from "~/ui/failure"
import { PageHeading } from "~/ui/page-heading"
import { Spinner } from "~/ui/spinner"
import { isUnknown, useAwaitedOrder } from "./awaited-order"
import { successPath } from "./use-order"
import { isActive, refreshAfterPayment, useSubscription } from "./use-subscription"

/** How long the success stays on the screen before the panel opens by itself, in milliseconds. */
const redirectAfter = 5000

const failedPath = (orderId: string) =>
  `/panel/subscription/failed?order=${encodeURIComponent(orderId)}`
/** What the provider's page leads back to. Only the order says whether anything was paid. */
export function PaymentOutcome({ orderId }: { orderId: string }) {
  const { t } = useTranslation()
  const { order, long } = useAwaitedOrder(orderId)

  if (order.data?.state === "paid") return <PaidOrder kind={order.data.kind} />
  if (order.data?.state === "open") return <Waiting order={order.data} long={long} />
  if (order.data) return <Navigate to={failedPath(orderId)} replace />
  if (order.isPending) return <Spinner label={t("subscription.result.waiting")} />
  return <NotKnown order={order} />
}

/** Back from a provider without an order: nothing is known but what the subscription says. */
export function PaidSomewhere() {
  const { data, isError } = useSubscription()
  const known = isActive(data) ? "active" : "pending"
  return <Paid says={data || isError ? known : undefined} />
}

/** The order is paid: whatever it changes is read anew. */
function PaidOrder({ kind }: { kind: OrderOut["kind"] }) {
  const cache = useQueryClient()
  useEffect(() => refreshAfterPayment(cache), [cache])
  return <Paid says={kind === "upgrade" ? "upgraded" : "active"} />
}

/** `says`: what is known of the subscription by now. */
function Paid({ says }: { says: "active" | "upgraded" | "pending" | undefined }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const enter = () => void navigate("/panel")

  // biome-ignore lint/correctness/useExhaustiveDependencies: the clock starts once
  useEffect(() => {
    const timer = window.setTimeout(enter, redirectAfter)
    return () => window.clearTimeout(timer)
  }, [])

  return (
    <Result
      icon={CircleCheck}
      tone="text-valid"
      title={t("subscription.result.paid")}
      action={<Button onClick={enter}>{t("subscription.result.toPanel")}</Button>}
    >
      {says && <p>{t(`subscription.result.${says}`)}</p>}
      <p className="text-sm text-ink-soft">{t("subscription.result.redirect")}</p>
    </Result>
  )
}

function Waiting({ order, long }: { order: OrderOut; long: boolean }) {
  const { t } = useTranslation()
  const usual = order.method === "blik" && !order.url ? "waitingBlik" : "waitingText"
  return (
    <Result
      icon={Hourglass}
      tone="text-brand"
      title={t("subscription.result.waiting")}
      action={
        <ButtonLink variant="secondary" to="/panel/subscription">
          {t("subscription.result.toSubscription")}
        </ButtonLink>
      }
    >
      <p className="flex items-center gap-2.5">
        <Spinner small />
        {t(`subscription.result.${long ? "waitingLong" : usual}`)}
      </p>
    </Result>
  )
}

function NotKnown({ order }: { order: ReturnType<typeof useAwaitedOrder>["order"] }) {
  const { t } = useTranslation()
  const unknown = isUnknown(order.error)
  return (
    <div className="flex max-w-xl flex-col gap-6">
      <PageHeading
        title={t(unknown ? "subscription.result.unknown" : "subscription.result.waiting")}
      />
      {unknown ? (
        <p>{t("subscription.result.unknownText")}</p>
      ) : (
        <Failure
          title={t("subscription.result.loadFailed")}
          error={order.error}
          onRetry={() => void order.refetch()}
          retrying={order.isFetching}
        />
      )}
      <ButtonLink variant="secondary" to="/panel/subscription" className="self-start">
        {t("subscription.result.toSubscription")}
      </ButtonLink>
    </div>
  )
}

/** A payment that came to nothing, and the way to try again. */
export function PaymentFailed({ orderId }: { orderId: string | null }) {
  return orderId ? <FailedOrder orderId={orderId} /> : <Failed hint="failedHint" />
}

function FailedOrder({ orderId }: { orderId: string }) {
  const { order } = useAwaitedOrder(orderId)
  const cache = useQueryClient()
  const state = order.data?.state

  useEffect(() => {
    if (state) refreshAfterPayment(cache)
  }, [state, cache])

  // Money that came late counts.
  if (state === "paid") return <Navigate to={successPath(orderId)} replace />
  if (state === "expired") return <Failed hint="expiredHint" />
  return <Failed hint={state === "void" ? "voidHint" : "failedHint"} />
}

function Failed({ hint }: { hint: "failedHint" | "expiredHint" | "voidHint" }) {
  const { t } = useTranslation()
  return (
    <Result
      icon={OctagonAlert}
      tone="text-withheld"
      title={t("subscription.result.failed")}
      action={<ButtonLink to="/panel/subscription">{t("subscription.result.again")}</ButtonLink>}
    >
      <p className="font-semibold">{t("subscription.result.failedText")}</p>
      <p>{t(`subscription.result.${hint}`)}</p>
      <p className="text-sm wrap-anywhere text-ink-soft">
        {t("subscription.result.write", { address: contactEmail })}
      </p>
    </Result>
  )
}

type ResultProps = {
  icon: LucideIcon
  tone: string
  title: string
  action: ReactNode
  children: ReactNode
}

function Result({ icon: Icon, tone, title, action, children }: ResultProps) {
  return (
    <div className="mx-auto max-w-xl lg:pt-10">
      <Card className="flex flex-col items-start gap-5 p-6 sm:p-8">
        <Icon aria-hidden className={`size-12 ${tone}`} strokeWidth={1.5} />
        <PageHeading key={title} title={title} />
        <div role="status" className="flex flex-col gap-2">
          {children}
        </div>
        {action}
      </Card>
    </div>
  )
}
