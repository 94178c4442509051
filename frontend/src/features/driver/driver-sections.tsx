import { CalendarRange, Download, Ellipsis, Pencil, Trash2 } from "lucide-react"
import { type ReactNode, useId, useState } from "react"
import { useTranslation } from "react-i18next"
import { exportDriver } from "~/api/sdk.gen"
import type { DriverOut, DriverSummaryOut } from "~/api/types.gen"
import { latestVerification } from "~/entities/driver/driver"
import { isActive, useSubscription } from "~/entities/subscription/use-subscription"
import { asFile, useDownload } from "~/hooks/use-download"
import { formatDateTime } from "~/lib/dates"
import { Button, buttonStyles } from "~/ui/button"
import { Card } from "~/ui/card"
import { ErrorAlert } from "~/ui/error-alert"
import { Menu, MenuItem } from "~/ui/menu"
import { ChangeList } from "./change-list"
import { CheckNow } from "./check-now"
import { ConfirmationButton } from "./confirmation-button"
import { DayStrip } from "./day-strip"
import { DriverNotices } from "./driver-notices"
import { EpisodeDetails } from "./episode-details"
import { VerificationFacts } from "./verification-facts"

export type OpenDialog = "edit" | "delete" | "period"

type DriverSectionsProps = {
  driver: DriverSummaryOut | DriverOut
  /** The history was asked for: it is first, with its newest entry open. */
  isHistory: boolean
  onOpenDialog: (dialog: OpenDialog) => void
}

export function DriverSections({ driver, isHistory, onOpenDialog }: DriverSectionsProps) {
  const { t } = useTranslation()
  const history = (
    <Section title={t("verifications.history.title")} lead={t("verifications.changes.lead")}>
      <section
        aria-label={t("verifications.history.list")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
        tabIndex={0}
        className="-mx-4 -mb-4 max-h-[400px] overflow-y-auto border-t border-line"
      >
        <ChangeList driver={driver} openNewest={isHistory} />
      </section>
    </Section>
  )
  return (
    <>
      {driver.episode && <EpisodeDetails driver={driver} />}
      <Acts driver={driver} onOpenDialog={onOpenDialog} />
      {isHistory && history}
      {latestVerification(driver) && (
        <Section title={t("dashboard.details.title")} isFolded={isHistory}>
          <VerificationFacts driver={driver} />
        </Section>
      )}
      <Section title={t("notifications.driver.title")}>
        <DriverNotices driverId={driver.id} />
      </Section>
      {!isHistory && history}
      <Section title={t("verifications.days.title")}>
        <DayStrip driverId={driver.id} />
      </Section>
    </>
  )
}

function Acts({ driver, onOpenDialog }: Omit<DriverSectionsProps, "isHistory">) {
  const { t } = useTranslation()
  const subscription = useSubscription()
  const canCheck = isActive(subscription.data)
  const latest = driver.verifications[0]
  const exported = useDownload(
    () => exportDriver({ path: { driver_id: driver.id }, ...asFile }),
    `${driver.licenseNumber}.zip`,
    { failed: t("verifications.history.exportFailed") },
  )
  return (
    <div className="flex flex-col gap-2">
      <CheckNow
        driver={driver}
        canCheck={canCheck || subscription.isPending}
        isSecondary={driver.episode?.acknowledgement === null}
      >
        {latest && "id" in latest && <ConfirmationButton verification={latest} />}
        <Menu
          aria-label={t("drivers.page.more")}
          title={t("drivers.page.more")}
          className={buttonStyles({ variant: "secondary", size: "sm" })}
          trigger={<Ellipsis aria-hidden className="size-5" />}
        >
          {canCheck && (
            <MenuItem icon={Pencil} onSelect={() => onOpenDialog("edit")}>
              {t("drivers.page.edit")}
            </MenuItem>
          )}
          <MenuItem icon={Download} onSelect={() => exported.mutate()}>
            {t("verifications.history.export")}
          </MenuItem>
          <MenuItem icon={CalendarRange} onSelect={() => onOpenDialog("period")}>
            {t("verifications.confirmation.period.action")}
          </MenuItem>
          <MenuItem icon={Trash2} danger onSelect={() => onOpenDialog("delete")}>
            {t("drivers.delete.confirm")}
          </MenuItem>
        </Menu>
      </CheckNow>
      <p role="status" className="text-sm text-ink-soft empty:absolute">
        {exported.isSuccess && t("verifications.history.exported")}
      </p>
      <ErrorAlert title={t("verifications.history.exportFailed")} error={exported.error} />
      <p className="figures text-sm text-ink-soft">
        {latest
          ? t("drivers.page.lastCheck", { date: formatDateTime(latest.verifiedAt) })
          : t(driver.overLimit ? "drivers.page.notMonitored" : "drivers.page.neverChecked")}
      </p>
    </div>
  )
}

type SectionProps = { title: string; lead?: string; isFolded?: boolean; children: ReactNode }

/** A part of the panel; a folded one shows its contents on request. */
function Section({ title, lead, isFolded = false, children }: SectionProps) {
  const { t } = useTranslation()
  const headingId = useId()
  const [isOpen, setIsOpen] = useState(!isFolded)
  return (
    <section aria-labelledby={headingId}>
      <Card className="p-4">
        <div className="flex items-center justify-between gap-3">
          <h3 id={headingId} className="text-base">
            {title}
          </h3>
          {!isOpen && (
            <Button variant="secondary" size="sm" onClick={() => setIsOpen(true)}>
              {t("drivers.page.show")}
            </Button>
          )}
        </div>
        {lead && <p className="text-sm text-ink-soft">{lead}</p>}
        {isOpen && <div className="mt-3">{children}</div>}
      </Card>
    </section>
  )
}
