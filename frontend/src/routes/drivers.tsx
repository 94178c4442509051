import { useQuery } from "@tanstack/react-query"
import { Info, UserPlus } from "lucide-react"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import { useSearchParams } from "react-router"
import { getCheckSummaryOptions } from "~/api/@tanstack/react-query.gen"
import type { DriverOut } from "~/api/types.gen"
import { isStale } from "~/features/dashboard/freshness"
import { DriverBrowser } from "~/features/drivers/driver-browser"
import {
  AddDriverDialog,
  DeleteDriverDialog,
  EditDriverDialog,
} from "~/features/drivers/driver-dialogs"
import type { DriverFields } from "~/features/drivers/driver-schema"
import { SubscriptionWall } from "~/features/drivers/subscription-wall"
import { GraceBanner } from "~/features/subscription/plan-banner"
import { StartTrial } from "~/features/subscription/start-trial"
import { TrialNote } from "~/features/subscription/trial-note"
import { isActive, mayTry, useSubscription } from "~/features/subscription/use-subscription"
import { HistoryDialog } from "~/features/verifications/history-dialog"
import { formatDay } from "~/shared/dates"
import { fullName, useDriverList } from "~/shared/driver-list"
import { useAsOfDay } from "~/shared/use-as-of-day"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { Empty } from "~/ui/empty"
import { Failure } from "~/ui/failure"
import { PageHeading } from "~/ui/page-heading"
import { Spinner } from "~/ui/spinner"

type Open = { dialog: "add" } | { dialog: "edit" | "history" | "delete"; driver: DriverOut } | null

export default function Drivers() {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const drivers = useDriverList()
  const subscription = useSubscription()
  const active = isActive(subscription.data)
  const [open, setOpen] = useState<Open>(search.has("add") ? { dialog: "add" } : null)
  const [added, setAdded] = useState<DriverFields | null>(null)
  const loading = drivers.isPending || subscription.isPending

  const close = () => {
    setOpen(null)
    if (search.has("add")) setSearch({}, { replace: true })
  }
  const add = () => {
    setAdded(null)
    setOpen({ dialog: "add" })
  }

  return (
    <div className="flex flex-col gap-5">
      <PageHeading
        title={t("drivers.title")}
        action={
          active &&
          drivers.isSuccess && (
            <Button onClick={add}>
              <UserPlus aria-hidden className="size-5" />
              {t("drivers.add")}
            </Button>
          )
        }
      >
        <div className="flex flex-wrap gap-x-4">
          {drivers.isSuccess && <span>{t("drivers.count", { count: drivers.data.length })}</span>}
          {subscription.data && <TrialNote subscription={subscription.data} />}
        </div>
      </PageHeading>

      <GraceBanner subscription={subscription.data} />
      <FreshnessNote />
      {subscription.isError && (
        <Failure
          title={t("subscription.loadFailed")}
          error={subscription.error}
          onRetry={() => void subscription.refetch()}
          retrying={subscription.isFetching}
        />
      )}
      {subscription.isSuccess && !active && (
        <SubscriptionWall>{mayTry(subscription.data) && <StartTrial />}</SubscriptionWall>
      )}
      <p role="status" className="empty:hidden">
        {added && (
          <span className="flex flex-wrap gap-x-2 rounded-lg bg-valid-soft px-4 py-3 text-sm text-valid-ink">
            <strong>{t("drivers.added.title")}</strong>
            <span>
              {t("drivers.added.text")}: {fullName(added)}
            </span>
          </span>
        )}
      </p>

      {loading && <Spinner label={t("drivers.loading")} />}
      {!loading && drivers.isError && (
        <Failure
          title={t("drivers.loadFailed")}
          error={drivers.error}
          onRetry={() => void drivers.refetch()}
          retrying={drivers.isFetching}
        />
      )}
      {!loading && drivers.isSuccess && drivers.data.length === 0 && (
        <Card>
          <Empty
            icon={UserPlus}
            title={t("drivers.empty.title")}
            action={active && <Button onClick={add}>{t("drivers.add")}</Button>}
          >
            {active && t("drivers.empty.text")}
          </Empty>
        </Card>
      )}
      {!loading && drivers.isSuccess && drivers.data.length > 0 && (
        <DriverBrowser
          drivers={drivers.data}
          initialQuery={search.get("q") ?? ""}
          onHistory={(driver) => setOpen({ dialog: "history", driver })}
          onEdit={active ? (driver) => setOpen({ dialog: "edit", driver }) : undefined}
          onDelete={(driver) => setOpen({ dialog: "delete", driver })}
        />
      )}

      <AddDriverDialog open={active && open?.dialog === "add"} onClose={close} onAdded={setAdded} />
      {open?.dialog === "edit" && <EditDriverDialog driver={open.driver} onClose={close} />}
      {open?.dialog === "history" && (
        <HistoryDialog driver={open.driver} mayCheck={active} onClose={close} />
      )}
      {open?.dialog === "delete" && <DeleteDriverDialog driver={open.driver} onClose={close} />}
    </div>
  )
}

/** The blue note: when the data is refreshed, and which day it is of, unless nobody checks any more. */
function FreshnessNote() {
  const { t } = useTranslation()
  const day = useAsOfDay()
  const summary = useQuery(getCheckSummaryOptions())
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-1 rounded-lg bg-brand-soft px-4 py-3 text-sm">
      <p className="flex flex-1 basis-80 items-start gap-2.5">
        <Info aria-hidden className="mt-0.5 size-5 shrink-0 text-brand" />
        {t("drivers.note")}
      </p>
      <p className="figures font-semibold">
        {isStale(summary.data) && summary.data?.oldestVerifiedAt
          ? t("dashboard.stale.title")
          : t("verifications.asOf", { date: formatDay(day) })}
      </p>
    </div>
  )
}
