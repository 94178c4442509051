import { useQuery } from "@tanstack/react-query"
import { Info, UserPlus } from "lucide-react"
import { useMemo, useState } from "react"
import { useTranslation } from "react-i18next"
import { Navigate, Outlet, useNavigate, useSearchParams } from "react-router"
import { getCheckSummaryOptions } from "~/api/@tanstack/react-query.gen"
import type { DriverSummaryOut } from "~/api/types.gen"
import { useMayAcknowledge } from "~/entities/driver/acknowledgement-calls"
import { driverPath } from "~/entities/driver/driver"
import type { DriverAct } from "~/entities/driver/driver-acts"
import { FactLine, hasStaleResults, useDataDays } from "~/entities/driver/freshness"
import { isUnhandled } from "~/entities/driver/may-drive"
import { PrintDate } from "~/entities/driver/print-date"
import { useDriverList } from "~/entities/driver/use-driver-list"
import {
  isActive,
  isTrialAvailable,
  useSubscription,
} from "~/entities/subscription/use-subscription"
import {
  AcknowledgeDialog,
  AddDriverDialog,
  DeleteDriverDialog,
  EditDriverDialog,
} from "~/features/driver/driver-dialogs"
import { useCheckDriver } from "~/features/driver/use-verification-history"
import { FirstDrivers, ImportDialog } from "~/features/driver-import/import-dialog"
import { loadImportForm } from "~/features/driver-import/import-form-query"
import type { ImportMode } from "~/features/driver-import/import-source-field"
import { AddMenu } from "~/features/driver-list/add-menu"
import { DriverBrowser } from "~/features/driver-list/driver-browser"
import { SubscriptionRequired } from "~/features/driver-list/subscription-required"
import { firstCheckPath } from "~/features/onboarding/first-check"
import { RenewalBanner, TrialNote } from "~/features/plan/plan-banner"
import { TrialForm } from "~/features/plan/trial-form"
import { useStateDraft } from "~/hooks/use-draft"
import { useProductToday } from "~/hooks/use-product-now"
import { countDriversAs } from "~/lib/plurals"
import { Card } from "~/ui/card"
import { EmptyState } from "~/ui/empty-state"
import { PageHeading } from "~/ui/page-heading"
import { isLoading, QueryState } from "~/ui/query-state"
import { Spinner } from "~/ui/spinner"

type OpenDialog =
  | { dialog: "add" }
  | { dialog: "import"; mode: ImportMode }
  | { dialog: "acknowledge" | "edit" | "delete"; driver: DriverSummaryOut }
  | null

export default function DriverList() {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const drivers = useDriverList()
  const subscription = useSubscription()
  const isSubscriptionActive = isActive(subscription.data)
  const [openDialog, setOpenDialog] = useStateDraft<OpenDialog>(
    "drivers.dialog",
    addressedDialog(search),
  )
  const [isAdded, setIsAdded] = useState(false)
  const summary = useQuery(getCheckSummaryOptions())
  const isStale = Boolean(hasStaleResults(summary.data) && summary.data?.oldestVerifiedAt)
  const loading = isLoading(drivers, subscription, summary)
  const today = useProductToday()
  const isListed = !loading && drivers.isSuccess
  const unhandled = useMemo(
    () => drivers.data?.filter((one) => isUnhandled(one, today)).length,
    [drivers.data, today],
  )

  const navigate = useNavigate()
  const [listed, setListed] = useState<readonly string[]>([])

  const { check } = useCheckDriver(drivers.data ?? [])
  const runCheck = check.mutate
  const mayAcknowledge = useMayAcknowledge()
  const rowActions = useMemo(() => {
    const onAct = (act: DriverAct, driver: DriverSummaryOut) => {
      const path = `${driverPath(driver.id)}${window.location.search}`
      switch (act) {
        case "open":
          return void navigate(path)
        case "history":
          return void navigate(`${path}#history`)
        case "check":
          return runCheck({ path: { driver_id: driver.id } })
        default:
          return setOpenDialog({ dialog: act, driver })
      }
    }
    return { onAct, rights: { canEdit: isSubscriptionActive, mayAcknowledge } }
  }, [isSubscriptionActive, mayAcknowledge, setOpenDialog, navigate, runCheck])
  const plan = { drivers: drivers.data?.length ?? 0, limit: subscription.data?.driverLimit ?? 0 }

  const closeDialog = () => {
    setOpenDialog(null)
    if (addressedDialog(search)) setSearch(withoutDialog, { replace: true })
  }
  const openAddDialog = () => {
    setIsAdded(false)
    setOpenDialog({ dialog: "add" })
  }

  const showImported = () => {
    closeDialog()
    if (plan.drivers === 0) void navigate(firstCheckPath)
  }

  const openImportDialog = (mode: ImportMode) => setOpenDialog({ dialog: "import", mode })

  // The address that mails had before drivers had pages.
  const linkedDriver = search.get("driver")
  if (linkedDriver) return <Navigate to={driverPath(linkedDriver)} replace />

  return (
    <div className="flex flex-col gap-3">
      <PageHeading
        title={t("drivers.title")}
        count={isListed ? unhandled : 0}
        action={
          isSubscriptionActive &&
          isListed && (
            <AddMenu onAdd={openAddDialog} onImport={openImportDialog} onNear={loadImportForm} />
          )
        }
      >
        <div className="flex flex-wrap gap-x-4 beside:text-sm/6.5">
          {isListed && <span>{t("drivers.count", countDriversAs(drivers.data.length))}</span>}
          {isListed && isSubscriptionActive && (
            <span className="figures">{t("drivers.plan.used", plan)}</span>
          )}
          {isListed && !isStale && <CheckedOn drivers={drivers.data} />}
          {!loading && subscription.data && <TrialNote subscription={subscription.data} />}
        </div>
      </PageHeading>

      <PrintDate />
      {!loading && (
        <>
          <RenewalBanner subscription={subscription.data} />
          <FreshnessNote isStopped={summary.data?.checkingStopped} isStale={isStale} />
          <QueryState query={subscription} errorTitle={t("subscription.loadFailed")} />
          {subscription.isSuccess && !isSubscriptionActive && (
            <SubscriptionRequired>
              {isTrialAvailable(subscription.data) && <TrialForm />}
            </SubscriptionRequired>
          )}
        </>
      )}
      {/* For screen readers only: the toast shows the same. */}
      <p role="status" className="sr-only">
        {isAdded && (
          <>
            <strong>{t("drivers.added.title")}</strong>
            <span>{t("drivers.added.text")}</span>
          </>
        )}
      </p>

      {loading ? (
        <Spinner label={t("drivers.loading")} />
      ) : (
        <QueryState query={drivers} errorTitle={t("drivers.loadFailed")}>
          {(list) =>
            list.length === 0 && isSubscriptionActive ? (
              <FirstDrivers title={t("drivers.empty.title")} plan={plan} onDone={showImported} />
            ) : list.length === 0 ? (
              <Card>
                <EmptyState icon={UserPlus} title={t("drivers.empty.title")} />
              </Card>
            ) : (
              <DriverBrowser
                drivers={list}
                onListed={setListed}
                onAdd={isSubscriptionActive ? openAddDialog : undefined}
                checkedId={check.isPending ? check.variables.path.driver_id : undefined}
                {...rowActions}
              />
            )
          }
        </QueryState>
      )}

      <AddDriverDialog
        open={isSubscriptionActive && openDialog?.dialog === "add"}
        plan={plan}
        onClose={closeDialog}
        onAdded={() => setIsAdded(true)}
      />
      {isSubscriptionActive && openDialog?.dialog === "import" && (
        <ImportDialog
          mode={openDialog.mode}
          plan={plan}
          onDone={showImported}
          onClose={closeDialog}
        />
      )}
      {openDialog?.dialog === "acknowledge" && (
        <AcknowledgeDialog driver={openDialog.driver} onClose={closeDialog} />
      )}
      {openDialog?.dialog === "edit" && (
        <EditDriverDialog driver={openDialog.driver} onClose={closeDialog} />
      )}
      {openDialog?.dialog === "delete" && (
        <DeleteDriverDialog driver={openDialog.driver} onClose={closeDialog} />
      )}
      <Outlet context={listed} />
    </div>
  )
}

/** The dialog that the address opens. */
function addressedDialog(search: URLSearchParams): OpenDialog {
  if (search.has("add")) return { dialog: "add" }
  if (!search.has("import")) return null
  return { dialog: "import", mode: search.get("import") === "file" ? "file" : "paste" }
}

/** The address without the dialog that it opened. */
function withoutDialog(search: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(search)
  rest.delete("add")
  rest.delete("import")
  return rest
}

/** When the drivers were checked; the list names another time beside a driver alone. */
function CheckedOn({ drivers }: { drivers: readonly DriverSummaryOut[] }) {
  const { checked } = useDataDays(drivers)
  return checked ? <span className="figures">{checked}</span> : null
}

type FreshnessNoteProps = { isStopped: boolean | undefined; isStale: boolean }

/**
 * The blue note on one line: when the data is refreshed, and its day unless the results are stale;
 * that it is not refreshed when checking has stopped.
 */
function FreshnessNote({ isStopped, isStale }: FreshnessNoteProps) {
  const { t } = useTranslation()
  const { asOf } = useDataDays([])
  const note = t(isStopped ? "drivers.noteStopped" : "drivers.note")
  return (
    <div
      data-no-print
      className="flex flex-wrap items-center gap-x-6 rounded-lg bg-brand-soft px-4 py-1.5 text-xs"
    >
      <p className="flex flex-1 basis-80 items-center gap-2 beside:min-w-0 beside:basis-0">
        <Info aria-hidden className="size-4.5 shrink-0 text-brand" />
        <span className="beside:truncate" title={note}>
          {note}
        </span>
      </p>
      <FactLine facts={[isStale ? t("dashboard.stale.title") : asOf]} />
    </div>
  )
}
