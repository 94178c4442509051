import { useTranslation } from "react-i18next"
import { CurrentPlan } from "~/features/subscription/current-plan"
import { OrderByMail } from "~/features/subscription/order-by-mail"
import { StartTrial } from "~/features/subscription/start-trial"
import { TrialNote } from "~/features/subscription/trial-note"
import { mayTry, useSubscription } from "~/features/subscription/use-subscription"
import { Card } from "~/ui/card"
import { Failure } from "~/ui/failure"
import { PageHeading } from "~/ui/page-heading"
import { Spinner } from "~/ui/spinner"

export default function Subscription() {
  const { t } = useTranslation()
  const subscription = useSubscription()

  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <PageHeading title={t("subscription.title")}>
        {subscription.data && <TrialNote subscription={subscription.data} />}
      </PageHeading>
      {subscription.isPending && <Spinner label={t("subscription.loading")} />}
      {subscription.isError && (
        <Failure
          title={t("subscription.loadFailed")}
          error={subscription.error}
          onRetry={() => void subscription.refetch()}
          retrying={subscription.isFetching}
        />
      )}
      {subscription.data && <CurrentPlan subscription={subscription.data} />}
      {mayTry(subscription.data) && (
        <Card className="p-5 sm:p-6">
          <StartTrial />
        </Card>
      )}
      {subscription.data && <OrderByMail subscription={subscription.data} />}
    </div>
  )
}
