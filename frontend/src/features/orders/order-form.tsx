import { valibotResolver } from "@hookform/resolvers/valibot"
import { useId, useState } from "react"
import { type FieldErrors, useForm, useWatch } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { useSearchParams } from "react-router"
import type { CompanyDetails, SubscriptionOut } from "~/api/types.gen"
import {
  hasCompleteBillingDetails,
  isPaidPeriodActive,
} from "~/entities/subscription/use-subscription"
import { useFormDraft } from "~/hooks/use-draft"
import { useUser } from "~/hooks/use-user"
import { fieldErrors } from "~/lib/error-messages"
import { formatAmount } from "~/lib/money"
import { periodPrice } from "~/lib/price"
import { showToast } from "~/lib/toasts"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { ConfirmDialog } from "~/ui/confirm-dialog"
import { ErrorAlert } from "~/ui/error-alert"
import { QueryState } from "~/ui/query-state"
import { SectionHead } from "~/ui/section-head"
import { Spinner } from "~/ui/spinner"
import { DriverLimitField } from "./driver-limit-field"
import {
  initialDriverLimit,
  type OrderFields,
  type PaymentOption,
  savedMethod,
  vOrderForm,
} from "./order-schema"
import { PaymentSection } from "./payment-method-field"
import { retriedChoices } from "./payment-paths"
import { PriceSummary } from "./price-summary"
import { PurchaseOptionField } from "./purchase-option-field"
import { usePaymentMethods } from "./use-payment-methods"
import { usePlaceOrder } from "./use-place-order"
import { useQuote } from "./use-quote"

type OrderFormProps = {
  subscription: SubscriptionOut
  /** The billing details on the screen differ from the stored ones. */
  unsavedDetails: boolean
  /** Saves them; null where they cannot be saved as they are. */
  saveDetails?: () => Promise<CompanyDetails | null>
}

/** Plan selection: the number of drivers, the price, and the payment method. */
export function OrderForm({ subscription, unsavedDetails, saveDetails }: OrderFormProps) {
  const { t } = useTranslation()
  const titleId = useId()
  const { drivers, endDate } = subscription
  const { plannedDrivers } = useUser()
  const retried = retriedChoices(useSearchParams()[0])

  const form = useForm<OrderFields>({
    resolver: valibotResolver(vOrderForm(drivers, isCodeRequired)),
    criteriaMode: "all", // or the resolver skips the check of the code while the limit is invalid
    shouldFocusError: false, // missing billing details are reported before the code: see `onInvalid`
    defaultValues: {
      driverLimit: retried.driverLimit ?? initialDriverLimit(subscription, plannedDrivers),
      option: "change",
      method: retried.method,
      blikCode: "",
    },
  })
  useFormDraft("order", form)
  const { control } = form
  const { errors, isSubmitted, isSubmitting } = form.formState
  const [asked, setAsked] = useState<OrderFields>()
  const limit = useWatch({ control, name: "driverLimit" })
  const option = useWatch({ control, name: "option" })

  const order = usePlaceOrder()
  const price = useQuote(limit, subscription)
  const { quote } = price
  const change = option === "change" ? price.change : null
  const isFree = change?.gross === 0
  const canChargeMandate = change?.kind === "upgrade" && subscription.renews
  const payment = usePaymentMethods(control, canChargeMandate ? subscription.mandateLabel : null)
  const detailsError = isFree ? undefined : billingDetailsError()
  const gross = price.isUnknown ? undefined : (change ?? quote ?? periodPrice(limit)).gross
  const sum = gross ? formatAmount(gross) : null
  // The saved method is charged where the request names none.
  const isChargedAtOnce =
    !isFree && canChargeMandate && (payment.selected ?? savedMethod) === savedMethod

  // Called when the form is validated, by when the quote and the payment methods above are known.
  function isCodeRequired(method: PaymentOption | undefined): boolean {
    return !isFree && payment.requiresCode(method)
  }

  function billingDetailsError(): string | undefined {
    if (!hasCompleteBillingDetails(subscription.user)) return t("subscription.billing.missing")
    return unsavedDetails ? t("subscription.billing.unsaved") : undefined
  }

  const showDetailsError = (description: string) => {
    showToast({ tone: "error", title: t("subscription.toast.error"), description })
    focusBillingDetails()
  }
  const place = (fields: OrderFields, details = subscription.user) => {
    const paymentRequest = isFree ? {} : payment.toRequest(fields)
    if (change) order.changeLimit(fields.driverLimit, paymentRequest)
    else order.orderPeriod(fields.driverLimit, paymentRequest, details)
  }
  const onValid = async (fields: OrderFields) => {
    const details = detailsError ? await saveDetails?.() : subscription.user
    if (!details) return showDetailsError(detailsError ?? t("subscription.billing.missing"))
    // One click must not charge a card that is saved.
    if (isChargedAtOnce) setAsked(fields)
    else place(fields, details)
  }
  const onInvalid = (invalid: FieldErrors<OrderFields>) => {
    if (invalid.driverLimit) form.setFocus("driverLimit")
    else if (detailsError) showDetailsError(detailsError)
    else form.setFocus("blikCode")
  }
  const submit = form.handleSubmit(onValid, onInvalid)

  const periodLabel = isPaidPeriodActive(subscription) ? "extend" : "submit"
  const serverErrors = fieldErrors(order.error)
  const isShownAtField = serverErrors.driverLimit ?? serverErrors.blikCode
  const fallback = t(change ? "subscription.order.changeFailed" : "subscription.order.failed")

  return (
    <Card
      ref={retried.driverLimit === undefined ? undefined : scrollIntoView}
      className="scroll-mt-20"
    >
      <SectionHead
        id={titleId}
        title={t(
          isPaidPeriodActive(subscription)
            ? "subscription.order.changeTitle"
            : "subscription.order.title",
        )}
        lead={t("subscription.order.lead")}
      />
      <form
        onSubmit={(event) => {
          order.reset()
          void submit(event)
        }}
        noValidate
        aria-labelledby={titleId}
        className="@container"
      >
        <div className="grid @3xl:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="flex flex-col gap-6 p-5">
            <DriverLimitField
              control={control}
              drivers={drivers}
              onChange={order.reset}
              serverError={serverErrors.driverLimit ?? price.limitServerError}
            />
            {quote && price.change && endDate && (
              <PurchaseOptionField
                control={control}
                quote={quote}
                change={price.change}
                endDate={endDate}
              />
            )}
            {!isFree && (
              <PaymentSection
                control={control}
                payment={payment}
                onMethodChange={() => isSubmitted && void form.trigger("blikCode")}
                codeError={
                  errors.blikCode ? t("subscription.order.code.format") : serverErrors.blikCode
                }
              />
            )}
          </div>
          <div className="border-line bg-sunken p-5 max-@3xl:rounded-b-lg max-@3xl:border-t @3xl:rounded-br-lg @3xl:border-l">
            <div className="flex flex-col gap-5 @3xl:sticky @3xl:top-5">
              {price.failed && (
                <QueryState
                  query={price.query}
                  errorTitle={t("subscription.order.summary.quoteFailed")}
                />
              )}
              {price.isUpdating && !quote && (
                <Spinner label={t("subscription.order.summary.quoting")} />
              )}
              {price.hasPrice && (
                <PriceSummary
                  limit={limit}
                  quote={quote}
                  change={change ?? undefined}
                  isUpdating={price.isUpdating}
                  isUnknown={price.isUnknown}
                />
              )}
              {isSubmitted && !isSubmitting && detailsError && <Alert>{detailsError}</Alert>}
              {!isShownAtField && <ErrorAlert error={order.error} fallback={fallback} />}
              {order.urlMissing && <Alert>{t("subscription.order.failed")}</Alert>}
              <Button
                type="submit"
                loading={order.pending || isSubmitting}
                disabled={price.isUpdating || price.failed || (!isFree && payment.noneAvailable)}
              >
                {t(`subscription.order.${change?.kind ?? periodLabel}`)}
                {sum && ` · ${sum}`}
              </Button>
            </div>
          </div>
        </div>
      </form>
      {asked && sum && (
        <ConfirmDialog
          onClose={() => setAsked(undefined)}
          title={t("subscription.order.charge.title")}
          description={t("subscription.order.charge.text", {
            gross: sum,
            label: subscription.mandateLabel,
          })}
          confirmLabel={t("subscription.order.charge.confirm", { gross: sum })}
          loading={order.pending}
          onConfirm={() => {
            setAsked(undefined)
            place(asked)
          }}
        />
      )}
    </Card>
  )
}

/** Focuses the first field of the billing details, or the button that opens them for editing. */
function focusBillingDetails(): void {
  const details = document.getElementById("billing")
  details?.scrollIntoView({ block: "start" })
  details?.querySelector<HTMLElement>("input, button")?.focus({ preventScroll: true })
}

/** Scrolls to the form when the user returns to it after a failed payment. */
function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView()
}
