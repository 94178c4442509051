import type { TFunction } from "i18next"
import { useTranslation } from "react-i18next"
import type { DriverSummaryOut, VerificationSummaryOut } from "~/api/types.gen"
import { formatCalendarDate, formatDate } from "~/lib/dates"
import { Badge, Chip } from "~/ui/badge"
import { documentGloss } from "./document-status"
import { categoryProblems, isWithheld, latestVerification, problemCategories } from "./driver"
import {
  type CategoryExpiry,
  categoryExpiries,
  type DateState,
  dateState,
  documentState,
} from "./expiry"
import { dateMark, documentTone, entitles, type MayDrive, marks, mayDrive } from "./may-drive"

type VerificationProps = {
  verification: VerificationSummaryOut | undefined
  /** The Warsaw day on which the dates are judged. */
  today: string
}

type AnswerProps = { driver: DriverSummaryOut; today: string }

/** Whether the driver may drive today. */
export function AnswerBadge({ driver, today }: AnswerProps) {
  const { t } = useTranslation()
  const answer = mayDrive(driver, today)
  return (
    <Badge {...marks[answer]} large>
      {t(`drivers.answer.${answer}`)}
    </Badge>
  )
}

/**
 * The document's status in the register's own words, with chips for what has expired or will,
 * unless `withDates` says that the dates are beside it. Those of a driver whose newest verification
 * it is name the needed categories.
 */
export function DocumentBadge({
  verification,
  today,
  driver,
  withDates = true,
}: VerificationProps & {
  driver?: DriverSummaryOut | undefined
  withDates?: boolean
}) {
  const { t } = useTranslation()
  const status = verification?.documentStatus
  const entitled = verification && entitles(verification, today) ? "yes" : "no"
  const answer = driver ? mayDrive(driver, today) : entitled
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      {status ? (
        <DocumentStatus t={t} status={status} answer={answer} />
      ) : (
        <Badge tone="neutral">{t("verifications.unknown")}</Badge>
      )}
      {documentState(verification, today) === "expired" && (
        <Chip {...marks.expired}>{t("verifications.chips.expired")}</Chip>
      )}
      {verification?.status === "not_found" && (
        <Chip {...marks.not_found}>{t("verifications.chips.notFound")}</Chip>
      )}
      {driver && <CategoryProblemChips driver={driver} today={today} />}
      {withDates && (
        <ExpiryChips
          verification={verification}
          today={today}
          states={["expired", "soon"]}
          except={problemCategories(driver, today)}
        />
      )}
    </span>
  )
}

/** `icon` is null behind the icon of the answer. */
type DocumentStatusProps = { t: TFunction; status: string; answer: MayDrive; icon?: null }

/** The register's own word, which is Polish; its meaning in the language of the screen on hover. */
export function DocumentStatus({ t, status, answer, icon }: DocumentStatusProps) {
  const gloss = documentGloss(status)
  return (
    <Badge
      tone={documentTone(status, answer)}
      lang="pl"
      icon={icon}
      {...(gloss && { title: t(`verifications.gloss.${gloss}`) })}
    >
      {status}
    </Badge>
  )
}

/**
 * The document's last day. For a withheld document a chip adds that it does not entitle, whatever
 * the date.
 */
export function ExpiryDate({
  verification,
  today,
  missing,
}: VerificationProps & { missing: string }) {
  const { t } = useTranslation()
  const lastDay = verification?.expiryDate ?? null
  const isWithheld = verification?.status === "invalid"
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className={isWithheld ? "font-normal text-ink-soft" : undefined}>
        {lastDay ? formatCalendarDate(lastDay) : missing}
      </span>
      {isWithheld && <Chip {...marks.withheld}>{t("verifications.chips.noEntitlement")}</Chip>}
      <DateStateChip lastDay={lastDay} today={today} state={documentState(verification, today)} />
    </span>
  )
}

type CategoryProblemChipsProps = { driver: DriverSummaryOut; today: string }

/** What is wrong with the needed categories that the driver does not have today. */
export function describeCategoryProblems(
  t: TFunction,
  driver: DriverSummaryOut,
  today: string,
): string[] {
  return categoryProblems(driver, today).map(({ category, expiredOn }) =>
    expiredOn
      ? t("verifications.chips.neededExpired", { category, date: formatCalendarDate(expiredOn) })
      : t("verifications.chips.neededMissing", { category }),
  )
}

export function CategoryProblemChips({ driver, today }: CategoryProblemChipsProps) {
  const { t } = useTranslation()
  return describeCategoryProblems(t, driver, today).map((text) => (
    <Chip key={text} {...marks.needed_category}>
      {text}
    </Chip>
  ))
}

/**
 * Chips for the categories that have expired or will, and for a document that will; none for a
 * withheld or an expired document, which allows nothing anyway. `except` names those that have
 * expired and are said elsewhere.
 */
export function ExpiryChips({
  verification,
  today,
  states,
  except,
}: VerificationProps & {
  states: readonly ("expired" | "soon")[]
  except?: readonly string[]
}) {
  const { t } = useTranslation()
  const { documentDay, categories } = expiriesToShow(verification, today, except)
  const expiries = categories.filter(({ state }) => states.includes(state))
  return (
    <>
      {expiries.map(({ state, lastDay, codes }) => (
        <Chip key={lastDay} {...dateMark(state)}>
          {t(
            state === "expired"
              ? "verifications.chips.categoriesExpired"
              : "verifications.chips.categoriesSoon",
            { count: codes.length, codes: codes.join(", "), date: formatCalendarDate(lastDay) },
          )}
        </Chip>
      ))}
      {documentDay && states.includes("soon") && (
        <Chip {...marks.expires_soon}>
          {t("verifications.chips.documentSoon", { date: formatCalendarDate(documentDay) })}
        </Chip>
      )}
    </>
  )
}

/**
 * The expiries that `ExpiryChips` and the list's `ValidityDate` name. Categories that end with the
 * document, or later, are said by its own date.
 */
export function expiriesToShow(
  verification: VerificationSummaryOut | undefined,
  today: string,
  except?: readonly string[],
): { documentDay: string | null; categories: CategoryExpiry[] } {
  const document = documentState(verification, today)
  if (!verification || verification.status === "invalid" || document === "expired") {
    return { documentDay: null, categories: [] }
  }
  const documentDay = document === "soon" ? verification.expiryDate : null
  const categories = categoryExpiries(verification, today, except).filter(
    ({ lastDay }) => !(documentDay && lastDay >= documentDay),
  )
  return { documentDay, categories }
}

type DateStateChipProps = { lastDay: string | null; today: string; state?: DateState }

/** Marks a date that is shown in full as over, or as near. */
export function DateStateChip({
  lastDay,
  today,
  state = dateState(lastDay, today),
}: DateStateChipProps) {
  const { t } = useTranslation()
  if (state === "valid") return null
  return (
    <Chip {...dateMark(state)}>
      {t(state === "expired" ? "verifications.chips.expired" : "verifications.chips.soon")}
    </Chip>
  )
}

type DriverStatusBadgesProps = AnswerProps & { withReasons?: boolean }

/**
 * The status badge of a driver, with a chip for every reason to pay attention. `withReasons` adds the
 * dates, and leaves the badge of a withheld licence to the reason that stands beside it.
 */
export function DriverStatusBadges(props: DriverStatusBadgesProps) {
  const { driver, today, withReasons = false } = props
  const { t } = useTranslation()
  return (
    <span className="flex flex-wrap items-center gap-1.5 empty:hidden">
      {!(withReasons && isWithheld(driver)) && (
        <DocumentBadge
          verification={latestVerification(driver)}
          today={today}
          driver={driver}
          withDates={withReasons}
        />
      )}
      {driver.staleSince && (
        <Chip {...marks.stale}>
          {t("verifications.chips.stale", { date: formatDate(driver.staleSince) })}
        </Chip>
      )}
      {driver.overLimit && <Chip {...marks.over_limit}>{t("verifications.chips.overLimit")}</Chip>}
    </span>
  )
}
