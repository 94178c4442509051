import { useQuery } from "@tanstack/react-query"
import { UserPlus } from "lucide-react"
import { useTranslation } from "react-i18next"
import { getCheckSummaryOptions } from "~/api/@tanstack/react-query.gen"
import type { CheckSummaryOut, DriverSummaryOut, SubscriptionOut } from "~/api/types.gen"
import { PrintDate } from "~/entities/driver/print-date"
import { useDriverList } from "~/entities/driver/use-driver-list"
import { AttentionSection } from "~/features/dashboard/attention-section"
import { CheckProgressLine } from "~/features/dashboard/check-progress-line"
import { countDrivers } from "~/features/dashboard/driver-counts"
import { ExpirySection } from "~/features/dashboard/expiry-section"
import { FirstCheckNote } from "~/features/dashboard/first-check-note"
import { Freshness, hasStaleResults } from "~/features/dashboard/freshness"
import { GettingStarted } from "~/features/dashboard/getting-started"
import { NewWithheldLine } from "~/features/dashboard/new-withheld-line"
import { SummaryCards } from "~/features/dashboard/summary-cards"
import { WithheldSection } from "~/features/dashboard/withheld-section"
import { EmailProblemBanner } from "~/features/notifications/email-problem"
import { RenewalBanner } from "~/features/subscription/plan/plan-banner"
import { TrialForm } from "~/features/subscription/plan/trial-form"
import { TrialNote } from "~/features/subscription/plan/trial-note"
import {
  isActive,
  isTrialAvailable,
  useSubscription,
} from "~/features/subscription/use-subscription"
import { useProductToday } from "~/hooks/use-product-today"
import { ButtonLink } from "~/ui/button-link"
import { Card } from "~/ui/card"
import { EmptyState } from "~/ui/empty-state"
import { PageHeading } from "~/ui/page-heading"
import { isLoading, QueryState } from "~/ui/query-state"
import { Spinner } from "~/ui/spinner"

export default function Dashboard() {
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
              <Overview drivers={list} summary={summary.data} subscription={subscription.data} />
            )}
          </QueryState>
        </>
      )}
    </div>
  )
}

type OverviewProps = {
  drivers: readonly DriverSummaryOut[]
  summary: CheckSummaryOut | undefined
  subscription: SubscriptionOut | undefined
}

function Overview({ drivers, summary, subscription }: OverviewProps) {
  const { t } = useTranslation()
  const counts = countDrivers(drivers, useProductToday())
  const isStale = drivers.length > 0 && hasStaleResults(summary)

  return (
    <>
      {drivers.length > 0 && <CheckProgressLine drivers={drivers} stale={isStale} />}
      <NewWithheldLine drivers={drivers} />
      {/* Before the first result there is nothing of which to say the date. */}
      {(counts.anyChecked || isStale) && <Freshness summary={summary} />}
      <FirstCheckNote count={counts.unchecked} summary={summary} />
      <SummaryCards counts={counts} stale={isStale} />
      <WithheldSection drivers={drivers} />
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
    </>
  )
}
