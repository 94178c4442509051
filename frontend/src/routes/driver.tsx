import { useQuery } from "@tanstack/react-query"
import { CalendarRange, Ellipsis, Pencil, Trash2, UserX } from "lucide-react"
import { type ReactNode, useId, useState } from "react"
import { useTranslation } from "react-i18next"
import { useLocation, useNavigate, useParams } from "react-router"
import { getDriverOptions } from "~/api/@tanstack/react-query.gen"
import type { DriverOut } from "~/api/types.gen"
import { DriverStatusBadges } from "~/entities/driver/document-badge"
import { fullName } from "~/entities/driver/driver"
import { isActive, useSubscription } from "~/entities/subscription/use-subscription"
import { ChangeList } from "~/features/driver/change-list"
import { CheckNow } from "~/features/driver/check-now"
import { ConfirmationButton } from "~/features/driver/confirmation-button"
import { DayStrip } from "~/features/driver/day-strip"
import { DocumentValidity } from "~/features/driver/document-validity"
import { DeleteDriverDialog, EditDriverDialog } from "~/features/driver/driver-dialogs"
import { DriverNotices } from "~/features/driver/driver-notices"
import { PeriodDialog } from "~/features/driver/period-dialog"
import { StateSince } from "~/features/driver/state-since"
import { useProductToday } from "~/hooks/use-product-now"
import { ApiError } from "~/lib/api-error"
import { formatDateTime } from "~/lib/dates"
import { Alert } from "~/ui/alert"
import { Button, buttonStyles } from "~/ui/button"
import { Card } from "~/ui/card"
import { CopyButton } from "~/ui/copy-button"
import { EmptyState } from "~/ui/empty-state"
import { Menu, MenuItem } from "~/ui/menu"
import { QueryState } from "~/ui/query-state"
import { SidePanel } from "~/ui/side-panel"

type OpenDialog = "edit" | "delete" | "period" | null

/** One driver, over the list of drivers: closing it, or Back, returns to the list. */
export default function Driver() {
  const { t } = useTranslation()
  const { driverId = "" } = useParams()
  const { search } = useLocation()
  const navigate = useNavigate()
  const driver = useQuery(getDriverOptions({ path: { driver_id: driverId } }))
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null)
  const isMissing = driver.error instanceof ApiError && driver.error.status === 404

  const close = () => void navigate({ pathname: "/panel/drivers", search }, { replace: true })
  const closeDialog = () => setOpenDialog(null)

  if (isMissing) return <MissingDriver onClose={close} />
  return (
    <>
      <SidePanel
        title={driver.data ? fullName(driver.data) : t("drivers.page.loading")}
        heading={driver.data && <Heading driver={driver.data} />}
        onClose={close}
      >
        <QueryState
          query={driver}
          loadingLabel={t("drivers.page.loading")}
          errorTitle={t("drivers.page.loadFailed")}
        >
          {(data) => <Sections driver={data} onOpenDialog={setOpenDialog} />}
        </QueryState>
      </SidePanel>
      {driver.data && openDialog === "edit" && (
        <EditDriverDialog driver={driver.data} onClose={closeDialog} />
      )}
      {driver.data && openDialog === "delete" && (
        <DeleteDriverDialog driver={driver.data} onClose={closeDialog} onDeleted={close} />
      )}
      {driver.data && openDialog === "period" && (
        <PeriodDialog driver={driver.data} onClose={closeDialog} />
      )}
    </>
  )
}

function MissingDriver({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <SidePanel title={t("common.notFound.title")} heading={null} onClose={onClose}>
      <EmptyState
        icon={UserX}
        title={t("drivers.linkedMissing")}
        action={<Button onClick={onClose}>{t("drivers.page.back")}</Button>}
      >
        {t("drivers.page.missing")}
      </EmptyState>
    </SidePanel>
  )
}

function Heading({ driver }: { driver: DriverOut }) {
  const { t } = useTranslation()
  const today = useProductToday()
  return (
    <div className="mt-1 flex flex-col gap-2">
      <span className="flex items-center gap-1">
        <span className="serial text-ink-soft">{driver.licenseNumber}</span>
        <CopyButton text={driver.licenseNumber} name={t("drivers.page.number")} />
      </span>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <DriverStatusBadges driver={driver} today={today} large />
        <StateSince driverId={driver.id} />
      </div>
    </div>
  )
}

type SectionsProps = { driver: DriverOut; onOpenDialog: (dialog: OpenDialog) => void }

function Sections({ driver, onOpenDialog }: SectionsProps) {
  const { t } = useTranslation()
  const subscription = useSubscription()
  const canCheck = isActive(subscription.data)
  const latest = driver.verifications[0]
  return (
    <>
      {latest?.status === "invalid" && (
        <Alert title={t("drivers.page.withheldTitle")} live="status">
          {latest.reasons.length > 0 && (
            <p>
              {t("drivers.page.reasons", {
                reasons: latest.reasons.map(({ wartosc }) => wartosc).join("; "),
              })}
            </p>
          )}
          <p>{t("drivers.page.withheld")}</p>
        </Alert>
      )}
      <div className="flex flex-col gap-2">
        <CheckNow driver={driver} canCheck={canCheck || subscription.isPending}>
          {canCheck && (
            <Button
              variant="secondary"
              size="sm"
              onClick={() => onOpenDialog("edit")}
              icon={Pencil}
            >
              {t("drivers.page.edit")}
            </Button>
          )}
          {latest && <ConfirmationButton verification={latest} />}
          <Menu
            aria-label={t("drivers.page.more")}
            title={t("drivers.page.more")}
            className={buttonStyles({ variant: "secondary", size: "sm" })}
            trigger={<Ellipsis aria-hidden className="size-5" />}
          >
            <MenuItem icon={CalendarRange} onSelect={() => onOpenDialog("period")}>
              {t("verifications.confirmation.period.action")}
            </MenuItem>
            <MenuItem icon={Trash2} danger onSelect={() => onOpenDialog("delete")}>
              {t("drivers.delete.confirm")}
            </MenuItem>
          </Menu>
        </CheckNow>
        <p className="figures text-sm text-ink-soft">
          {latest
            ? t("drivers.page.lastCheck", { date: formatDateTime(latest.verifiedAt) })
            : t(driver.overLimit ? "drivers.page.notMonitored" : "drivers.page.neverChecked")}
        </p>
      </div>
      {latest && (
        <Section title={t("drivers.page.validity")}>
          <DocumentValidity driver={driver} latest={latest} />
        </Section>
      )}
      <Section title={t("verifications.changes.title")} lead={t("verifications.changes.lead")}>
        <div className="-mx-4 -mb-4 border-t border-line">
          <ChangeList driver={driver} />
        </div>
      </Section>
      <Section title={t("verifications.days.title")}>
        <DayStrip driverId={driver.id} />
      </Section>
      <Section title={t("notifications.driver.title")}>
        <DriverNotices driverId={driver.id} />
      </Section>
    </>
  )
}

function Section(props: { title: string; lead?: string; children: ReactNode }) {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId}>
      <Card className="p-4">
        <h3 id={headingId} className="text-base">
          {props.title}
        </h3>
        {props.lead && <p className="text-sm text-ink-soft">{props.lead}</p>}
        <div className="mt-3">{props.children}</div>
      </Card>
    </section>
  )
}
