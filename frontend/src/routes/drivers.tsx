import { useQuery } from "@tanstack/react-query"
import { Info, UserPlus } from "lucide-react"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import { useSearchParams } from "react-router"
import { getCheckSummaryOptions } from "~/api/@tanstack/react-query.gen"
import type { DriverSummaryOut } from "~/api/types.gen"
import { useDriverList } from "~/entities/driver/use-driver-list"
import { hasStaleResults } from "~/features/dashboard/freshness"
import { DriverBrowser } from "~/features/drivers/driver-browser"
import {
  AddDriverDialog,
  DeleteDriverDialog,
  EditDriverDialog,
} from "~/features/drivers/driver-dialogs"
import { SubscriptionRequired } from "~/features/drivers/subscription-required"
import { GraceBanner } from "~/features/subscription/plan/plan-banner"
import { TrialForm } from "~/features/subscription/plan/trial-form"
import { TrialNote } from "~/features/subscription/plan/trial-note"
import {
  isActive,
  isTrialAvailable,
  useSubscription,
} from "~/features/subscription/use-subscription"
import { HistoryDialog } from "~/features/verifications/history-dialog"
import { useAsOfDate } from "~/hooks/use-as-of-date"
import { useStateDraft } from "~/hooks/use-draft"
import { formatCalendarDate } from "~/lib/dates"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { EmptyState } from "~/ui/empty-state"
import { PageHeading } from "~/ui/page-heading"
import { QueryState } from "~/ui/query-state"
import { Spinner } from "~/ui/spinner"

type OpenDialog =
  | { dialog: "add" }
  | { dialog: "edit" | "history" | "delete"; driver: DriverSummaryOut }
  | null

export default function Drivers() {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const drivers = useDriverList()
  const subscription = useSubscription()
  const isSubscriptionActive = isActive(subscription.data)
  const [openDialog, setOpenDialog] = useStateDraft<OpenDialog>(
    "drivers.dialog",
    search.has("add") ? { dialog: "add" } : null,
  )
  const [isAdded, setIsAdded] = useState(false)
  const linkedDriver = drivers.data?.find(({ id }) => id === search.get("driver"))
  const loading = drivers.isPending || subscription.isPending

  const historyDriver = openDialog?.dialog === "history" ? openDialog.driver : linkedDriver

  const closeDialog = () => {
    setOpenDialog(null)
    if (search.has("add") || search.has("driver")) setSearch({}, { replace: true })
  }
  const openAddDialog = () => {
    setIsAdded(false)
    setOpenDialog({ dialog: "add" })
  }

  return (
    <div className="flex flex-col gap-5">
      <PageHeading
        title={t("drivers.title")}
        action={
          isSubscriptionActive &&
          drivers.isSuccess && (
            <Button onClick={openAddDialog}>
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

      {search.has("driver") && drivers.isSuccess && !linkedDriver && (
        <Alert tone="info" live="status">
          {t("drivers.linkedMissing")}
        </Alert>
      )}
      <GraceBanner subscription={subscription.data} />
      <FreshnessNote />
      <QueryState query={subscription} errorTitle={t("subscription.loadFailed")} />
      {subscription.isSuccess && !isSubscriptionActive && (
        <SubscriptionRequired>
          {isTrialAvailable(subscription.data) && <TrialForm />}
        </SubscriptionRequired>
      )}
      <p role="status" className="empty:hidden">
        {isAdded && (
          <span className="flex flex-wrap gap-x-2 rounded-lg bg-valid-soft px-4 py-3 text-sm text-valid-ink">
            <strong>{t("drivers.added.title")}</strong>
            <span>{t("drivers.added.text")}</span>
          </span>
        )}
      </p>

      {loading ? (
        <Spinner label={t("drivers.loading")} />
      ) : (
        <QueryState query={drivers} errorTitle={t("drivers.loadFailed")}>
          {(list) =>
            list.length === 0 ? (
              <Card>
                <EmptyState
                  icon={UserPlus}
                  title={t("drivers.empty.title")}
                  action={
                    isSubscriptionActive && (
                      <Button onClick={openAddDialog}>{t("drivers.add")}</Button>
                    )
                  }
                >
                  {isSubscriptionActive && t("drivers.empty.text")}
                </EmptyState>
              </Card>
            ) : (
              <DriverBrowser
                drivers={list}
                initialQuery={search.get("q") ?? ""}
                onHistory={(driver) => setOpenDialog({ dialog: "history", driver })}
                onEdit={
                  isSubscriptionActive
                    ? (driver) => setOpenDialog({ dialog: "edit", driver })
                    : undefined
                }
                onDelete={(driver) => setOpenDialog({ dialog: "delete", driver })}
              />
            )
          }
        </QueryState>
      )}

      <AddDriverDialog
        open={isSubscriptionActive && openDialog?.dialog === "add"}
        onClose={closeDialog}
        onAdded={() => setIsAdded(true)}
      />
      {openDialog?.dialog === "edit" && (
        <EditDriverDialog driver={openDialog.driver} onClose={closeDialog} />
      )}
      {historyDriver && (
        <HistoryDialog
          driver={historyDriver}
          canCheck={isSubscriptionActive}
          onClose={closeDialog}
        />
      )}
      {openDialog?.dialog === "delete" && (
        <DeleteDriverDialog driver={openDialog.driver} onClose={closeDialog} />
      )}
    </div>
  )
}

/** The blue note: when the data is refreshed, and its date unless the results are stale. */
function FreshnessNote() {
  const { t } = useTranslation()
  const day = useAsOfDate()
  const summary = useQuery(getCheckSummaryOptions())
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-1 rounded-lg bg-brand-soft px-4 py-3 text-sm">
      <p className="flex flex-1 basis-80 items-start gap-2.5">
        <Info aria-hidden className="mt-0.5 size-5 shrink-0 text-brand" />
        {t("drivers.note")}
      </p>
      <p className="figures font-semibold">
        {hasStaleResults(summary.data) && summary.data?.oldestVerifiedAt
          ? t("dashboard.stale.title")
          : t("verifications.asOf", { date: formatCalendarDate(day) })}
      </p>
    </div>
  )
}
