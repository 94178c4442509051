import { useState } from "react"
import { useTranslation } from "react-i18next"
import { BillingDetails } from "~/features/subscription/billing-details/billing-details"
import { InvoiceList } from "~/features/subscription/invoices/invoice-list"
import { OpenOrder } from "~/features/subscription/orders/open-order"
import { OrderForm } from "~/features/subscription/orders/order-form"
import { CurrentPlan } from "~/features/subscription/plan/current-plan"
import { PlanBanner } from "~/features/subscription/plan/plan-banner"
import { TrialForm } from "~/features/subscription/plan/trial-form"
import { isTrialAvailable, useSubscription } from "~/features/subscription/use-subscription"
import { Card } from "~/ui/card"
import { PageHeading } from "~/ui/page-heading"
import { QueryState } from "~/ui/query-state"

export default function Subscription() {
  const { t } = useTranslation()
  const query = useSubscription()
  const [detailsDirty, setDetailsDirty] = useState(false)

  return (
    <div className="flex max-w-4xl flex-col gap-6">
      <PageHeading title={t("subscription.title")} />
      <QueryState
        query={query}
        loadingLabel={t("subscription.loading")}
        errorTitle={t("subscription.loadFailed")}
        keepData
      >
        {(subscription) => (
          <>
            <PlanBanner subscription={subscription} />
            {subscription.openOrder && <OpenOrder order={subscription.openOrder} />}
            <CurrentPlan subscription={subscription} />
            {isTrialAvailable(subscription) && (
              <Card className="p-5 sm:p-6">
                <TrialForm />
              </Card>
            )}
            <BillingDetails details={subscription.user} onDirtyChange={setDetailsDirty} />
            <OrderForm
              key={`${subscription.driverLimit} ${subscription.nextLimit} ${subscription.isTrial}`}
              subscription={subscription}
              unsavedDetails={detailsDirty}
            />
            <InvoiceList />
          </>
        )}
      </QueryState>
    </div>
  )
}
