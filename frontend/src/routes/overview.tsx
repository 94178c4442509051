import { useQuery } from "@tanstack/react-query"
import { UserPlus } from "lucide-react"
import { useMemo } from "react"
import { useTranslation } from "react-i18next"
import { useLocation, useNavigate } from "react-router"
import { getCheckSummaryOptions } from "~/api/@tanstack/react-query.gen"
import type { CheckSummaryOut, DriverSummaryOut, SubscriptionOut } from "~/api/types.gen"
import { hasStaleResults, StaleResults } from "~/entities/driver/freshness"
import { PrintDate } from "~/entities/driver/print-date"
import { useDriverList } from "~/entities/driver/use-driver-list"
import {
  isActive,
  isTrialAvailable,
  useSubscription,
} from "~/entities/subscription/use-subscription"
import { EmailProblemBanner } from "~/features/alerts/email-problem"
import { LazyDriverPanel } from "~/features/driver/lazy-driver-panel"
import { FirstDrivers } from "~/features/driver-import/import-dialog"
import { CompanyPdf } from "~/features/onboarding/company-pdf"
import {
  FirstCheck,
  firstCheckPath,
  statusAlertsQuery,
  useIsFirstCheckAsked,
  useIsNew,
} from "~/features/onboarding/first-check"
import { FirstSteps } from "~/features/onboarding/first-steps"
import { AttentionSection } from "~/features/overview/attention-section"
import { Briefing } from "~/features/overview/briefing"
import { CheckProgressLine } from "~/features/overview/check-progress-line"
import { countDrivers, type DriverCounts } from "~/features/overview/driver-counts"
import { ExpirySection } from "~/features/overview/expiry-section"
import { FirstCheckNote } from "~/features/overview/first-check-note"
import { useQueueKeys } from "~/features/overview/queue-keys"
import { SummaryCards } from "~/features/overview/summary-cards"
import { handledEpisodes, queueAttention, queueWithheld } from "~/features/overview/withheld-queue"
import { WithheldSection, type WithheldSectionProps } from "~/features/overview/withheld-section"
import { RenewalBanner, TrialNote } from "~/features/plan/plan-banner"
import { TrialForm } from "~/features/plan/trial-form"
import { useIsWide } from "~/hooks/use-is-wide"
import { useProductToday } from "~/hooks/use-product-now"
import { ButtonLink } from "~/ui/button-link"
import { Card } from "~/ui/card"
import { EmptyState } from "~/ui/empty-state"
import { PageHeading } from "~/ui/page-heading"
import { isLoading, QueryState } from "~/ui/query-state"
import { Section } from "~/ui/section"
import { Spinner } from "~/ui/spinner"

export default function Overview() {
  const { t } = useTranslation()
  const drivers = useDriverList()
  const summary = useQuery(getCheckSummaryOptions())
  const subscription = useSubscription()
  const today = useProductToday()
  const isFirstCheckAsked = useIsFirstCheckAsked()
  // The first steps show them: requested with all else, not after it.
  useQuery({ ...statusAlertsQuery, enabled: useIsNew(undefined, 7) })
  const loading = isLoading(drivers, summary, subscription)
  const list = !loading && drivers.isSuccess ? drivers.data : []
  const counts = countDrivers(list, today)
  const trial = !loading && subscription.data && <TrialNote subscription={subscription.data} />
  // As long as it is unknown whether results are stale, nothing is green.
  const isStale = list.length > 0 && (!summary.isSuccess || hasStaleResults(summary.data))

  return (
    <div className="relative flex flex-col gap-1.5 sm:gap-3">
      <PageHeading
        title={t(isFirstCheckAsked ? "dashboard.firstOutcome.page" : "dashboard.title")}
        count={counts.unhandled}
        action={
          list.length > 0 &&
          summary.isSuccess && (
            <div className="flex flex-wrap gap-x-4 text-sm max-sm:-mt-4 min-[75rem]:justify-end beside:max-2xl:-mt-4">
              {trial}
              <CheckProgressLine drivers={list} stale={isStale} />
            </div>
          )
        }
      >
        <div className="flex flex-wrap gap-x-4 text-sm max-sm:text-xs">
          <p className="beside:max-2xl:hidden">{t("dashboard.description")}</p>
          {list.length === 0 && trial}
        </div>
      </PageHeading>
      <div className="absolute -top-2 right-0 sm:top-0">
        {list.length > 0 && <CompanyPdf isShort />}
      </div>
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
          <QueryState query={summary} errorTitle={t("dashboard.freshnessFailed")}>
            {(data) => list.length > 0 && <StaleResults summary={data} />}
          </QueryState>
          <QueryState query={drivers} errorTitle={t("dashboard.loadFailed")}>
            {() => (
              <DriverOverview
                drivers={list}
                counts={counts}
                stale={isStale}
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
  counts: DriverCounts
  stale: boolean
  summary: CheckSummaryOut | undefined
  subscription: SubscriptionOut | undefined
}

function DriverOverview({ drivers, counts, stale, summary, subscription }: DriverOverviewProps) {
  const today = useProductToday()
  // First where the mail about it leads, but for the alarms of a phone.
  const isFirstCheckAsked = useIsFirstCheckAsked()
  const isWide = useIsWide()
  // Of the day's begin, or of when the page was opened, so that a row that is done stays.
  // biome-ignore lint/correctness/useExhaustiveDependencies: not when the drivers change
  const handled = useMemo(() => handledEpisodes(drivers), [today])
  useQueueKeys(new URLSearchParams(useLocation().search).has("driver"))
  const firstCheck = (
    <Section>
      <FirstCheck drivers={drivers} subscription={subscription} />
    </Section>
  )

  return (
    <>
      <Section>
        {drivers.length > 0 && <Briefing drivers={drivers} counts={counts} stale={stale} />}
        <SummaryCards counts={counts} stale={stale} />
      </Section>
      {isFirstCheckAsked && isWide && firstCheck}
      <Section>
        <WithheldSection drivers={drivers} handled={handled} />
      </Section>
      {isFirstCheckAsked && !isWide && firstCheck}
      <Section>
        <AttentionSection drivers={drivers} />
      </Section>
      {!isFirstCheckAsked && firstCheck}
      <FirstCheckNote count={counts.unchecked} summary={summary} />
      {subscription && (
        <Section>
          <FirstSteps drivers={drivers} subscription={subscription} />
        </Section>
      )}
      {drivers.length === 0 && <NoDrivers subscription={subscription} />}
      <Section>
        <ExpirySection drivers={drivers} />
      </Section>
      <OpenDriver drivers={drivers} handled={handled} />
    </>
  )
}

/** The way to the first drivers, or what it needs first. */
function NoDrivers({ subscription }: { subscription: SubscriptionOut | undefined }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const title = t("dashboard.noDrivers.title")
  return subscription && isActive(subscription) ? (
    <FirstDrivers
      title={title}
      plan={{ drivers: 0, limit: subscription.driverLimit }}
      onDone={() => void navigate(firstCheckPath)}
    >
      <ButtonLink to="/panel/drivers?add" variant="secondary" size="sm">
        {t("dashboard.noDrivers.action")}
      </ButtonLink>
    </FirstDrivers>
  ) : (
    <Card>
      <EmptyState icon={UserPlus} title={title}>
        {subscription && t("dashboard.noDrivers.locked")}
      </EmptyState>
    </Card>
  )
}

/** The driver that the address names, beside the dashboard, among all that are listed there. */
function OpenDriver({ drivers, handled }: WithheldSectionProps) {
  const today = useProductToday()
  const navigate = useNavigate()
  const { search, hash } = useLocation()
  const driverId = new URLSearchParams(search).get("driver")
  if (!driverId) return null
  const { fresh, known } = queueWithheld(drivers, today, handled)
  const attention = queueAttention(drivers, today).map(({ driver }) => driver)
  const replace = (to: { search?: string; hash?: string }) =>
    void navigate({ pathname: "/panel", ...to }, { replace: true })
  return (
    <LazyDriverPanel
      driverId={driverId}
      listed={[...fresh, ...known, ...attention].map(({ id }) => id)}
      onOpen={(id) => replace({ search: `?driver=${id}`, hash })}
      onClose={() => replace({})}
    />
  )
}
