import { useQuery } from "@tanstack/react-query"
import { Printer } from "lucide-react"
import { useEffect, useRef } from "react"
import { useTranslation } from "react-i18next"
import { Link, useLocation, useSearchParams } from "react-router"
import { listAlertRecipientsOptions } from "~/api/@tanstack/react-query.gen"
import type { DriverSummaryOut, SubscriptionOut } from "~/api/types.gen"
import {
  awaitsFirstCheck,
  driverPath,
  fullName,
  latestVerification,
} from "~/entities/driver/driver"
import { isActive } from "~/entities/subscription/use-subscription"
import { useProductToday } from "~/hooks/use-product-now"
import { useUser } from "~/hooks/use-user"
import { daysBefore, warsawDate } from "~/lib/dates"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { linkStyles } from "~/ui/text-link"
import { CompanyPdf, SendCompanyPdf } from "./company-pdf"

/** Where the mail about the first check leads. */
const parameter = "firstCheck"
export const firstCheckPath = `/panel?${parameter}`

const maxListed = 10

export const useIsFirstCheckAsked = () => useSearchParams()[0].has(parameter)

/** How many drivers within the plan's limit have been checked. */
export function countFirstChecks(drivers: readonly DriverSummaryOut[]) {
  const total = drivers.filter(({ overLimit }) => !overLimit).length
  return { total, checked: total - drivers.filter(awaitsFirstCheck).length }
}

/** Whether the company's first trial or period began at most `days` days ago; else the account. */
export function useIsNew(subscription: SubscriptionOut | undefined, days: number): boolean {
  const today = useProductToday()
  const { createdAt } = useUser()
  const begin = subscription?.monitoredSince ?? createdAt
  return warsawDate(Date.parse(begin)) >= daysBefore(today, days)
}

export const statusAlertsQuery = { ...listAlertRecipientsOptions(), staleTime: 60_000 }

/** By which media the user gets alerts about a driver's status; undefined until it is known. */
export function useStatusAlerts(enabled = true) {
  const { data } = useQuery({ ...statusAlertsQuery, enabled })
  const own = data?.members.find(({ isSelf }) => isSelf)
  const isChosen = own?.groups.includes("status") === true
  return (
    own && {
      email: isChosen && own.emailEnabled && !own.emailProblem,
      sms: isChosen && own.smsEnabled && own.phoneVerified,
    }
  )
}

type FirstCheckProps = {
  drivers: readonly DriverSummaryOut[]
  subscription: SubscriptionOut | undefined
}

/**
 * The progress and the outcome of a company's first check, below the answer of the day: which
 * details to correct, and what follows. For two days from the start of the trial on, and at its
 * address.
 */
export function FirstCheck({ drivers, subscription }: FirstCheckProps) {
  const { t } = useTranslation()
  const isAsked = useIsFirstCheckAsked()
  const isNew = useIsNew(subscription, 1)
  const { checked, total } = countFirstChecks(drivers)
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirstScreen = useLocation().key === "default"
  const isOpened = isAsked && total > 0 && !isFirstScreen // by a link or an import in the panel
  useEffect(() => {
    if (isOpened) heading.current?.focus({ preventScroll: true })
  }, [isOpened])
  if (total === 0 || !(isAsked || isNew)) return null

  const unknown = drivers.filter((one) => latestVerification(one)?.status === "not_found")
  const isOver = checked === total
  const progress = t("dashboard.firstSteps.check", { checked, total })
  return (
    <Card className="flex flex-col gap-3 p-4 sm:px-5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 ref={heading} tabIndex={-1} className="figures text-lg">
          {isOver ? t("dashboard.firstOutcome.title") : progress}
        </h2>
        {!isOver && (
          <progress
            aria-label={progress}
            value={checked}
            max={total}
            className="block h-2.5 w-full appearance-none overflow-hidden rounded-full border border-line-strong bg-sunken [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-brand"
          />
        )}
        {isOver && (
          <div data-no-print className="flex flex-wrap gap-2">
            <CompanyPdf />
            <SendCompanyPdf />
            <Button variant="secondary" size="sm" icon={Printer} onClick={() => window.print()}>
              {t("dashboard.firstOutcome.print")}
            </Button>
          </div>
        )}
      </div>
      {isOver && (
        <>
          {unknown.length > 0 && (
            <div className="flex flex-wrap items-baseline gap-x-6 gap-y-1 text-sm">
              <h3 className="font-semibold">
                {t("dashboard.firstOutcome.correct", { count: unknown.length })}
              </h3>
              <ul className="flex flex-wrap gap-x-6 gap-y-1">
                {unknown.slice(0, maxListed).map((driver) => (
                  <li key={driver.id}>
                    <Link to={driverPath(driver.id)} className={linkStyles}>
                      {fullName(driver)}
                    </Link>{" "}
                    <span className="serial">{driver.licenseNumber}</span>
                  </li>
                ))}
              </ul>
            </div>
          )}
          <WhatFollows drivers={drivers} subscription={subscription} />
        </>
      )}
    </Card>
  )
}

/** The daily check and its alerts, as far as both are certain; else the way to the alerts. */
function WhatFollows({ drivers, subscription }: FirstCheckProps) {
  const { t } = useTranslation()
  const { email } = useUser()
  const alerts = useStatusAlerts()
  if (!alerts) return null
  const areAllChecked = isActive(subscription) && !drivers.some(({ overLimit }) => overLimit)
  return (
    <p className="text-sm text-pretty">
      {alerts.email && areAllChecked ? (
        t(`dashboard.firstOutcome.${alerts.sms ? "tomorrowSms" : "tomorrow"}`, { email })
      ) : (
        <Link to="/panel/notifications" className={linkStyles}>
          {t("dashboard.firstOutcome.alerts")}
        </Link>
      )}
    </p>
  )
}
