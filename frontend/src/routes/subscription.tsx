import { useState } from "react"
import { useTranslation } from "react-i18next"
import { BillingDetails } from "~/features/subscription/billing-details"
import { CurrentPlan } from "~/features/subscription/current-plan"
import { Invoices } from "~/features/subscription/invoices"
import { OpenOrder } from "~/features/subscription/open-order"
import { OrderForm } from "~/features/subscription/order-form"
import { PlanBanner } from "~/features/subscription/plan-banner"
import { StartTrial } from "~/features/subscription/start-trial"
import { mayTry, useSubscription } from "~/features/subscription/use-subscription"
import { Card } from "~/ui/card"
import { Failure } from "~/ui/failure"
import { PageHeading } from "~/ui/page-heading"
import { Spinner } from "~/ui/spinner"

export default function Subscription() {
  const { t } = useTranslation()
  const { data, isPending, isError, error, isFetching, refetch } = useSubscription()
  const [unsaved, setUnsaved] = useState(false)

  return (
    <div className="flex max-w-4xl flex-col gap-6">
      <PageHeading title={t("subscription.title")} />
      {isPending && <Spinner label={t("subscription.loading")} />}
      {isError && (
        <Failure
          title={t("subscription.loadFailed")}
          error={error}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {data && (
        <>
          <PlanBanner subscription={data} />
          {data.openOrder && <OpenOrder order={data.openOrder} />}
          <CurrentPlan subscription={data} />
          {mayTry(data) && (
            <Card className="p-5 sm:p-6">
              <StartTrial />
            </Card>
          )}
          <BillingDetails details={data.user} onUnsaved={setUnsaved} />
          <OrderForm
            key={`${data.driverLimit} ${data.nextLimit} ${data.isTrial}`}
            subscription={data}
            unsaved={unsaved}
          />
          <Invoices />
        </>
      )}
    </div>
  )
}
