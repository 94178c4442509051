import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { type FormEvent, useId, useState } from "react"
import { useTranslation } from "react-i18next"
import { fieldProblems, problemSentence } from "~/shared/problem"
import { useSettled } from "~/shared/use-settled"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { Failure } from "~/ui/failure"
import { Spinner } from "~/ui/spinner"
import { showToast } from "~/ui/toasts"
import { listPaymentMethodsOptions, quoteOrderOptions, type SubscriptionOut } from "./calls"
import { LimitField } from "./limit-field"
import { MethodChoice } from "./method-choice"
import {
  firstLimit,
  isBlikCode,
  limitProblem,
  type Payment,
  type Purpose,
  savedMethod,
} from "./order-choice"
import { PriceSummary } from "./price-summary"
import { PurposeChoice } from "./purpose-choice"
import { type Paying, useOrder } from "./use-order"
import { isComplete, isPaid } from "./use-subscription"

/** While somebody holds the stepper, the server is not asked for every number it passes. */
const settledAfter = 250

type OrderFormProps = {
  subscription: SubscriptionOut
  /** The billing details on the screen are not the stored ones. */
  unsaved: boolean
}

/** Plan selection: for how many drivers, what it costs, and how it is paid. */
export function OrderForm({ subscription, unsaved }: OrderFormProps) {
  const { t } = useTranslation()
  const ids = { limit: useId(), code: useId(), title: useId() }
  const { drivers, endDate } = subscription
  const running = isPaid(subscription)

  const [limit, setLimit] = useState(() => firstLimit(subscription))
  const [purpose, setPurpose] = useState<Purpose>("change")
  const [payment, setPayment] = useState<Payment>()
  const [code, setCode] = useState("")
  const [tried, setTried] = useState(false)
  const order = useOrder(subscription)

  const problem = limitProblem(limit, drivers)
  const asked = useSettled(limit, settledAfter)
  const methods = useQuery(listPaymentMethodsOptions())
  const quoted = useQuery({
    ...quoteOrderOptions({ query: { driverLimit: asked } }),
    enabled: limitProblem(asked, drivers) === undefined,
    placeholderData: keepPreviousData,
    staleTime: 0, // what a day costs depends on the day
  })
  const fresh = quoted.data?.driverLimit === limit ? quoted.data : undefined
  // While a period runs only the server knows the price; a newcomer's is known at once.
  const quote = running ? quoted.data : fresh
  const change = (purpose === "change" && quote?.change) || undefined
  const busy = running && !fresh && !problem

  const free = change?.kind === "downgrade"
  const saved = change?.kind === "upgrade" && subscription.renews ? subscription.mandateLabel : null
  const offered: Payment[] = [
    ...(saved === null ? [] : [savedMethod]),
    ...(methods.data ?? []).map(({ method }) => method),
  ] as Payment[]
  const chosen = payment && offered.includes(payment) ? payment : offered[0]
  const wantsCode = methods.data?.find(({ method }) => method === chosen)?.blikCode === true
  const details = billingProblem()

  function billingProblem() {
    if (free) return undefined
    if (!isComplete(subscription.user)) return t("subscription.billing.missing")
    return unsaved ? t("subscription.billing.unsaved") : undefined
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    order.forget()
    if (problem) return focus(ids.limit)
    if (details) {
      showToast({
        tone: "error",
        title: t("subscription.toast.error"),
        description: details,
      })
      return showBilling()
    }
    if (!free && wantsCode && !isBlikCode(code)) return focus(ids.code)
    const paying: Paying = {
      ...(free || chosen === undefined || chosen === savedMethod ? {} : { method: chosen }),
      ...(!free && wantsCode ? { blikCode: code } : {}),
    }
    if (change) order.changeLimit(limit, paying)
    else order.orderPeriod(limit, paying)
  }

  const refused = fieldProblems(order.error)
  const shown = refused.driverLimit ?? refused.blikCode
  const fallback = t(change ? "subscription.order.changeFailed" : "subscription.order.failed")

  return (
    <Card>
      <div className="border-b border-line px-5 py-4">
        <h2 id={ids.title} className="text-lg">
          {t(running ? "subscription.order.changeTitle" : "subscription.order.title")}
        </h2>
        <p className="text-sm text-ink-soft">{t("subscription.order.lead")}</p>
      </div>
      <form onSubmit={submit} noValidate aria-labelledby={ids.title} className="@container">
        <div className="grid items-start @3xl:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="flex flex-col gap-6 p-5">
            <LimitField
              id={ids.limit}
              limit={limit}
              drivers={drivers}
              onChange={(next) => {
                order.forget()
                setLimit(next)
              }}
              refused={refused.driverLimit}
            />
            {quote?.change && endDate && (
              <PurposeChoice
                quote={quote}
                change={quote.change}
                endDate={endDate}
                chosen={purpose}
                onChoose={setPurpose}
              />
            )}
            {!free && methods.isPending && (
              <Spinner label={t("subscription.order.method.loading")} />
            )}
            {!free && methods.isError && (
              <Failure
                title={t("subscription.order.method.loadFailed")}
                error={methods.error}
                onRetry={() => void methods.refetch()}
                retrying={methods.isFetching}
              />
            )}
            {!free && methods.data?.length === 0 && (
              <Alert tone="caution">{t("subscription.order.method.none")}</Alert>
            )}
            {!free && chosen && methods.data && (
              <MethodChoice
                methods={methods.data}
                saved={saved}
                chosen={chosen}
                onChoose={setPayment}
                code={code}
                onCode={setCode}
                codeId={ids.code}
                codeError={
                  tried && wantsCode && !isBlikCode(code)
                    ? t("subscription.order.code.format")
                    : refused.blikCode
                }
              />
            )}
          </div>
          <div className="flex h-full flex-col gap-5 border-line bg-sunken p-5 max-@3xl:border-t max-@3xl:rounded-b-lg @3xl:rounded-br-lg @3xl:border-l">
            {running && quoted.isError ? (
              <Failure
                title={t("subscription.order.summary.quoteFailed")}
                error={quoted.error}
                onRetry={() => void quoted.refetch()}
                retrying={quoted.isFetching}
              />
            ) : running && !quote ? (
              <Spinner label={t("subscription.order.summary.quoting")} />
            ) : (
              !problem && <PriceSummary limit={limit} quote={quote} change={change} busy={busy} />
            )}
            {tried && details && <Alert>{details}</Alert>}
            {order.error && !shown && <Alert>{problemSentence(t, order.error, fallback)}</Alert>}
            {order.nowhere && <Alert>{t("subscription.order.failed")}</Alert>}
            <Button
              type="submit"
              loading={order.pending}
              disabled={busy || (!free && methods.data?.length === 0)}
            >
              {t(change ? `subscription.order.${change.kind}` : "subscription.order.submit")}
            </Button>
          </div>
        </div>
      </form>
    </Card>
  )
}

function focus(id: string): void {
  document.getElementById(id)?.focus()
}

/** Where the details are missing: the first field, or the button that opens them. */
function showBilling(): void {
  const billing = document.getElementById("billing")
  billing?.scrollIntoView({ block: "start" })
  billing?.querySelector<HTMLElement>("input, button")?.focus({ preventScroll: true })
}
