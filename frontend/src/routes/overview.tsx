import { useQuery } from "@tanstack/react-query"
import { UserPlus } from "lucide-react"
import { useTranslation } from "react-i18next"
import { useLocation, useNavigate } from "react-router"
import { getCheckSummaryOptions } from "~/api/@tanstack/react-query.gen"
import type { CheckSummaryOut, DriverSummaryOut, SubscriptionOut } from "~/api/types.gen"
import { Freshness, hasStaleResults } from "~/entities/driver/freshness"
import { PrintDate } from "~/entities/driver/print-date"
import { useDriverList } from "~/entities/driver/use-driver-list"
import {
  isActive,
  isTrialAvailable,
  useSubscription,
} from "~/entities/subscription/use-subscription"
import { EmailProblemBanner } from "~/features/alerts/email-problem"
import { DriverPanel } from "~/features/driver/driver-panel"
import { AttentionSection } from "~/features/overview/attention-section"
import { Briefing } from "~/features/overview/briefing"
import { countDrivers } from "~/features/overview/driver-counts"
import { ExpirySection } from "~/features/overview/expiry-section"
import { FirstCheckNote } from "~/features/overview/first-check-note"
import { GettingStarted } from "~/features/overview/getting-started"
import { SummaryCards } from "~/features/overview/summary-cards"
import { queueAttention, queueWithheld } from "~/features/overview/withheld-queue"
import { WithheldSection } from "~/features/overview/withheld-section"
import { RenewalBanner, TrialNote } from "~/features/plan/plan-banner"
import { TrialForm } from "~/features/plan/trial-form"
import { useProductToday } from "~/hooks/use-product-now"
import { ButtonLink } from "~/ui/button-link"
import { Card } from "~/ui/card"
import { EmptyState } from "~/ui/empty-state"
import { PageHeading } from "~/ui/page-heading"
import { isLoading, QueryState } from "~/ui/query-state"
import { Spinner } from "~/ui/spinner"

export default function Overview() {
  const { t } = useTranslation()
  const drivers = useDriverList()
  const summary = useQuery(getCheckSummaryOptions())
  const subscription = useSubscription()
  const loading = isLoading(drivers, summary, subscription)

  return (
    <div className="flex flex-col gap-6">
      <PageHeading
        title={t("dashboard.title")}
        action={!loading && subscription.data && <TrialNote subscription={subscription.data} />}
      >
        <p>{t("dashboard.description")}</p>
      </PageHeading>
      <PrintDate />
      <EmailProblemBanner />
      {loading ? (
        <Spinner label={t("dashboard.loading")} />
      ) : (
        <>
          <RenewalBanner subscription={subscription.data} />
          {isTrialAvailable(subscription.data) && (
            <Card className="p-5 sm:p-6">
              <TrialForm />
            </Card>
          )}
          <QueryState query={subscription} errorTitle={t("subscription.loadFailed")} />
          <QueryState query={drivers} errorTitle={t("dashboard.loadFailed")}>
            {(list) => (
              <DriverOverview
                drivers={list}
                summary={summary.data}
                subscription={subscription.data}
              />
            )}
          </QueryState>
        </>
      )}
    </div>
  )
}

type DriverOverviewProps = {
  drivers: readonly DriverSummaryOut[]
  summary: CheckSummaryOut | undefined
  subscription: SubscriptionOut | undefined
}

function DriverOverview({ drivers, summary, subscription }: DriverOverviewProps) {
  const { t } = useTranslation()
  const today = useProductToday()
  const counts = countDrivers(drivers, today)
  const isStale = drivers.length > 0 && hasStaleResults(summary)

  return (
    <>
      {drivers.length > 0 && <Briefing drivers={drivers} counts={counts} stale={isStale} />}
      {/* Before the first result there is no date to show. */}
      {(counts.anyChecked || isStale) && <Freshness summary={summary} />}
      <SummaryCards counts={counts} stale={isStale} />
      <WithheldSection drivers={drivers} />
      <FirstCheckNote count={counts.unchecked} summary={summary} />
      {subscription && <GettingStarted drivers={drivers.length} subscription={subscription} />}
      {drivers.length === 0 && (
        <Card>
          <EmptyState
            icon={UserPlus}
            title={t("dashboard.noDrivers.title")}
            action={
              isActive(subscription) && (
                <ButtonLink to="/panel/drivers?add">{t("dashboard.noDrivers.action")}</ButtonLink>
              )
            }
          >
            {subscription &&
              t(isActive(subscription) ? "dashboard.noDrivers.text" : "dashboard.noDrivers.locked")}
          </EmptyState>
        </Card>
      )}
      <ExpirySection drivers={drivers} />
      <AttentionSection drivers={drivers} />
      <OpenDriver drivers={drivers} today={today} />
    </>
  )
}

/** The driver that the address names, beside the dashboard, among all that are listed there. */
function OpenDriver({ drivers, today }: { drivers: readonly DriverSummaryOut[]; today: string }) {
  const navigate = useNavigate()
  const { search, hash } = useLocation()
  const driverId = new URLSearchParams(search).get("driver")
  if (!driverId) return null
  const { fresh, known } = queueWithheld(drivers, today)
  const attention = queueAttention(drivers, today).map(({ driver }) => driver)
  const replace = (to: { search?: string; hash?: string }) =>
    void navigate({ pathname: "/panel", ...to }, { replace: true })
  return (
    <DriverPanel
      driverId={driverId}
      listed={[...new Set([...fresh, ...known, ...attention].map(({ id }) => id))]}
      onOpen={(id) => replace({ search: `?driver=${id}`, hash })}
      onClose={() => replace({})}
    />
  )
}
