import { useQuery } from "@tanstack/react-query"
import { ChevronDown, ChevronUp, UserX } from "lucide-react"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import { useLocation, useNavigate } from "react-router"
import { getDriverOptions } from "~/api/@tanstack/react-query.gen"
import type { DriverSummaryOut } from "~/api/types.gen"
import { AnswerBadge, DriverStatusBadges } from "~/entities/driver/document-badge"
import { fullName, isWithheld } from "~/entities/driver/driver"
import { useEpisodeTexts } from "~/entities/driver/episode-texts"
import { driverListOptions } from "~/entities/driver/use-driver-list"
import { useProductToday } from "~/hooks/use-product-now"
import { ApiError } from "~/lib/api-error"
import { Button } from "~/ui/button"
import { ButtonLink } from "~/ui/button-link"
import { CopyButton } from "~/ui/copy-button"
import { EmptyState } from "~/ui/empty-state"
import { QueryState } from "~/ui/query-state"
import { SidePanel } from "~/ui/side-panel"
import { DeleteDriverDialog, EditDriverDialog } from "./driver-dialogs"
import { DriverSections, type OpenDialog } from "./driver-sections"
import { PeriodDialog } from "./period-dialog"
import { StateSince } from "./state-since"

type DriverPanelProps = {
  driverId: string
  /** The drivers of the list that it is beside, in their order. */
  listed: readonly string[]
  onOpen: (driverId: string) => void
  onClose: () => void
}

/**
 * One driver, and all that is known: whether they may drive, what to do, the document, the notices
 * and the history. The address names the part that was asked for ('#details', '#history' or '#edit').
 */
export function DriverPanel({ driverId, listed, onOpen, onClose }: DriverPanelProps) {
  const { t } = useTranslation()
  const { hash, search } = useLocation()
  const navigate = useNavigate()
  const part = hash.slice(1)
  const query = useQuery(getDriverOptions({ path: { driver_id: driverId } }))
  const list = useQuery({ ...driverListOptions(), enabled: false })
  const [opened, setDialog] = useState<OpenDialog | null>(null)
  const dialog = part === "edit" ? part : opened
  const driver = query.data ?? list.data?.find(({ id }) => id === driverId)
  const closeDialog = () => {
    setDialog(null)
    if (part === "edit") void navigate({ search }, { replace: true, preventScrollReset: true })
  }

  if (query.error instanceof ApiError && query.error.status === 404) {
    return <MissingDriver onClose={onClose} />
  }
  const index = listed.indexOf(driverId)
  const opens = (id: string | undefined) => (id ? () => onOpen(id) : undefined)
  const steps = { k: opens(listed[index - 1]), j: index < 0 ? undefined : opens(listed[index + 1]) }
  const kickers: Record<string, string> = {
    details: t("dashboard.details.title"),
    history: t("verifications.history.title"),
  }
  return (
    <>
      <SidePanel
        title={driver ? fullName(driver) : t("drivers.page.loading")}
        kicker={kickers[part]}
        heading={driver && <Heading driver={driver} />}
        keys={{ ...steps, ArrowUp: steps.k, ArrowDown: steps.j, o: actInPanel }}
        buttons={
          listed.length > 1 &&
          index >= 0 && (
            <span className="flex items-center">
              <span className="figures pr-1 text-sm whitespace-nowrap text-ink-soft">
                {t("drivers.page.position", { number: index + 1, total: listed.length })}
              </span>
              <Step label={t("drivers.page.previous")} icon={ChevronUp} name="k" steps={steps} />
              <Step label={t("drivers.page.next")} icon={ChevronDown} name="j" steps={steps} />
            </span>
          )
        }
        onClose={onClose}
      >
        {driver ? (
          <DriverSections
            key={driver.id + part}
            driver={driver}
            isHistory={part === "history"}
            onOpenDialog={setDialog}
          />
        ) : (
          <QueryState
            query={query}
            loadingLabel={t("drivers.page.loading")}
            errorTitle={t("drivers.page.loadFailed")}
          />
        )}
      </SidePanel>
      {driver && dialog === "edit" && <EditDriverDialog driver={driver} onClose={closeDialog} />}
      {driver && dialog === "delete" && (
        <DeleteDriverDialog driver={driver} onClose={closeDialog} onDeleted={onClose} />
      )}
      {driver && dialog === "period" && <PeriodDialog driver={driver} onClose={closeDialog} />}
    </>
  )
}

const actInPanel = () => document.querySelector<HTMLElement>("[role=dialog] [data-act]")?.click()

type StepProps = {
  label: string
  icon: typeof ChevronUp
  name: "j" | "k"
  steps: Record<"j" | "k", (() => void) | undefined>
}

function Step({ label, icon, name, steps }: StepProps) {
  return (
    <Button
      variant="ghost"
      size="icon"
      icon={icon}
      aria-label={label}
      title={`${label} (${name.toUpperCase()})`}
      aria-keyshortcuts={name}
      // Not `disabled`, which would lose the focus at the end of the list.
      aria-disabled={!steps[name]}
      onClick={steps[name]}
      className="aria-disabled:opacity-55"
    />
  )
}

function MissingDriver({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <SidePanel title={t("common.notFound.title")} heading={null} onClose={onClose}>
      <EmptyState
        icon={UserX}
        title={t("drivers.linkedMissing")}
        action={<ButtonLink to="/panel/drivers">{t("drivers.page.back")}</ButtonLink>}
      >
        {t("drivers.page.missing")}
      </EmptyState>
    </SidePanel>
  )
}

/** The answer before everything else, since when and why. */
function Heading({ driver }: { driver: DriverSummaryOut }) {
  const { t } = useTranslation()
  const today = useProductToday()
  const { describeReasons } = useEpisodeTexts(today)
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <AnswerBadge driver={driver} today={today} />
        <StateSince driver={driver} />
      </div>
      {driver.episode && isWithheld(driver) && (
        <p className="font-semibold wrap-anywhere">{describeReasons(driver.episode)}</p>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <DriverStatusBadges driver={driver} today={today} withReasons />
        <span className="flex items-center gap-1">
          <span className="serial text-ink-soft">{driver.licenseNumber}</span>
          <CopyButton text={driver.licenseNumber} name={t("drivers.page.number")} />
        </span>
      </div>
    </>
  )
}
