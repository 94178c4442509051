import { type FormEvent, useId, useState } from "react"
import { useTranslation } from "react-i18next"
import type { SubscriptionOut } from "~/api/types.gen"
import { fieldProblems, problemSentence } from "~/shared/problem"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { Failure } from "~/ui/failure"
import { Spinner } from "~/ui/spinner"
import { showToast } from "~/ui/toasts"
import { LimitField } from "./limit-field"
import { firstLimit, limitProblem, type Purpose } from "./order-choice"
import { PaymentPart } from "./payment-part"
import { PriceSummary } from "./price-summary"
import { PurposeChoice } from "./purpose-choice"
import { useOrder } from "./use-order"
import { usePayment } from "./use-payment"
import { useQuote } from "./use-quote"
import { isComplete, isPaid } from "./use-subscription"

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

  const [limit, setLimit] = useState(() => firstLimit(subscription))
  const [purpose, setPurpose] = useState<Purpose>("change")
  const [tried, setTried] = useState(false)
  const order = useOrder(subscription)
  const price = useQuote(limit, subscription)
  const { quote, failure } = price

  const change = purpose === "change" ? price.change : null
  const free = change?.gross === 0
  const maySave = change?.kind === "upgrade" && subscription.renews
  const payment = usePayment(maySave ? subscription.mandateLabel : null)
  const details = free ? undefined : billingProblem()
  const codeIsWrong = !free && payment.codeIsWrong

  function billingProblem(): string | undefined {
    if (!isComplete(subscription.user)) return t("subscription.billing.missing")
    return unsaved ? t("subscription.billing.unsaved") : undefined
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    order.forget()
    if (limitProblem(limit, drivers)) return focus(ids.limit)
    if (details) {
      showToast({
        tone: "error",
        title: t("subscription.toast.error"),
        description: details,
      })
      return showBilling()
    }
    if (codeIsWrong) return focus(ids.code)
    if (change) order.changeLimit(limit, free ? {} : payment.paying)
    else order.orderPeriod(limit, payment.paying)
  }

  const refused = fieldProblems(order.error)
  const besideField = refused.driverLimit ?? refused.blikCode
  const fallback = t(change ? "subscription.order.changeFailed" : "subscription.order.failed")

  return (
    <Card>
      <div className="border-b border-line px-5 py-4">
        <h2 id={ids.title} className="text-lg">
          {t(isPaid(subscription) ? "subscription.order.changeTitle" : "subscription.order.title")}
        </h2>
        <p className="text-sm text-ink-soft">{t("subscription.order.lead")}</p>
      </div>
      <form onSubmit={submit} noValidate aria-labelledby={ids.title} className="@container">
        <div className="grid @3xl:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="flex flex-col gap-6 p-5">
            <LimitField
              id={ids.limit}
              limit={limit}
              drivers={drivers}
              onChange={(next) => {
                order.forget()
                setLimit(next)
              }}
              refused={refused.driverLimit ?? price.refused}
            />
            {quote && price.change && endDate && (
              <PurposeChoice
                quote={quote}
                change={price.change}
                endDate={endDate}
                chosen={purpose}
                onChoose={setPurpose}
              />
            )}
            {!free && (
              <PaymentPart
                payment={payment}
                codeId={ids.code}
                codeError={
                  tried && codeIsWrong ? t("subscription.order.code.format") : refused.blikCode
                }
              />
            )}
          </div>
          <div className="border-line bg-sunken p-5 max-@3xl:rounded-b-lg max-@3xl:border-t @3xl:rounded-br-lg @3xl:border-l">
            <div className="flex flex-col gap-5 @3xl:sticky @3xl:top-5">
              {failure && (
                <Failure
                  title={t("subscription.order.summary.quoteFailed")}
                  error={failure.error}
                  onRetry={failure.retry}
                  retrying={failure.retrying}
                />
              )}
              {price.busy && !quote && <Spinner label={t("subscription.order.summary.quoting")} />}
              {price.priced && (
                <PriceSummary
                  limit={limit}
                  quote={quote}
                  change={change ?? undefined}
                  busy={price.busy}
                />
              )}
              {tried && details && <Alert>{details}</Alert>}
              {order.error && !besideField && (
                <Alert>{problemSentence(t, order.error, fallback)}</Alert>
              )}
              {order.nowhere && <Alert>{t("subscription.order.failed")}</Alert>}
              <Button
                type="submit"
                loading={order.pending}
                disabled={price.busy || failure !== null || (!free && payment.nothingOffered)}
              >
                {t(change ? `subscription.order.${change.kind}` : "subscription.order.submit")}
              </Button>
            </div>
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
