import { useQuery } from "@tanstack/react-query"
import { UserPlus } from "lucide-react"
import { useTranslation } from "react-i18next"
import { getCheckSummaryOptions } from "~/api/@tanstack/react-query.gen"
import { AttentionSection } from "~/features/dashboard/attention-section"
import { countDrivers } from "~/features/dashboard/counts"
import { Freshness, isStale } from "~/features/dashboard/freshness"
import { SummaryCards } from "~/features/dashboard/summary-cards"
import { WithheldSection } from "~/features/dashboard/withheld-section"
import { EmailProblemBanner } from "~/features/notifications/email-problem"
import { GraceBanner } from "~/features/subscription/plan-banner"
import { StartTrial } from "~/features/subscription/start-trial"
import { TrialNote } from "~/features/subscription/trial-note"
import { isActive, mayTry, useSubscription } from "~/features/subscription/use-subscription"
import { useDriverList } from "~/shared/driver-list"
import { ButtonLink } from "~/ui/button"
import { Card } from "~/ui/card"
import { Empty } from "~/ui/empty"
import { Failure } from "~/ui/failure"
import { PageHeading } from "~/ui/page-heading"
import { Spinner } from "~/ui/spinner"

export default function Dashboard() {
  const { t } = useTranslation()
  const subscription = useSubscription()

  return (
    <div className="flex flex-col gap-6">
      <PageHeading title={t("dashboard.title")} action={<Note />}>
        <p>{t("dashboard.description")}</p>
      </PageHeading>
      <EmailProblemBanner />
      <GraceBanner subscription={subscription.data} />
      {mayTry(subscription.data) && (
        <Card className="p-5 sm:p-6">
          <StartTrial />
        </Card>
      )}
      {subscription.isError && (
        <Failure
          title={t("subscription.loadFailed")}
          error={subscription.error}
          onRetry={() => void subscription.refetch()}
          retrying={subscription.isFetching}
        />
      )}
      <Overview />
    </div>
  )
}

function Note() {
  const { data } = useSubscription()
  return data ? <TrialNote subscription={data} /> : null
}

function Overview() {
  const { t } = useTranslation()
  const drivers = useDriverList()
  const summary = useQuery(getCheckSummaryOptions())
  const subscription = useSubscription()

  if (drivers.isPending) return <Spinner label={t("dashboard.loading")} />
  if (drivers.isError) {
    return (
      <Failure
        title={t("dashboard.loadFailed")}
        error={drivers.error}
        onRetry={() => void drivers.refetch()}
        retrying={drivers.isFetching}
      />
    )
  }
  return (
    <>
      {drivers.data.length > 0 && <Freshness summary={summary.data} />}
      <SummaryCards
        counts={countDrivers(drivers.data)}
        stale={drivers.data.length > 0 && isStale(summary.data)}
      />
      {drivers.data.length === 0 && (
        <Card>
          <Empty
            icon={UserPlus}
            title={t("dashboard.noDrivers.title")}
            action={
              isActive(subscription.data) && (
                <ButtonLink to="/panel/drivers?add">{t("dashboard.noDrivers.action")}</ButtonLink>
              )
            }
          >
            {subscription.data &&
              t(
                isActive(subscription.data)
                  ? "dashboard.noDrivers.text"
                  : "dashboard.noDrivers.locked",
              )}
          </Empty>
        </Card>
      )}
      <WithheldSection drivers={drivers.data} />
      <AttentionSection drivers={drivers.data} />
    </>
  )
}
