import { useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { isTrialAvailable, useSubscription } from "~/entities/subscription/use-subscription"
import { BillingDetails } from "~/features/billing/billing-details"
import type { SaverRef } from "~/features/billing/billing-details-form"
import { InvoiceList } from "~/features/billing/invoice-list"
import { OpenOrder } from "~/features/orders/open-order"
import { OrderForm } from "~/features/orders/order-form"
import { CurrentPlan } from "~/features/plan/current-plan"
import { PlanBanner } from "~/features/plan/plan-banner"
import { TrialForm } from "~/features/plan/trial-form"
import { Card } from "~/ui/card"
import { PageHeading } from "~/ui/page-heading"
import { QueryState } from "~/ui/query-state"

export default function Subscription() {
  const { t } = useTranslation()
  const query = useSubscription()
  const detailsSaver: SaverRef = useRef(null)
  const [detailsDirty, setDetailsDirty] = useState(false)

  return (
    <div className="flex max-w-5xl flex-col gap-6">
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
            <OrderForm
              key={`${subscription.driverLimit} ${subscription.nextLimit} ${subscription.isTrial}`}
              subscription={subscription}
              unsavedDetails={detailsDirty}
              saveDetails={async () => (await detailsSaver.current?.()) ?? null}
            />
            <BillingDetails
              details={subscription.user}
              onDirtyChange={setDetailsDirty}
              saver={detailsSaver}
            />
            <InvoiceList />
          </>
        )}
      </QueryState>
    </div>
  )
}
