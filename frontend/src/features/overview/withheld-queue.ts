/** The withheld drivers: those new to the company, and those it knows of (docs/rules.md R9b). */

import type { DriverSummaryOut, EpisodeOut } from "~/api/types.gen"
import { type AttentionReason, attentionReasons } from "~/entities/driver/document-status"
import { isWithheld } from "~/entities/driver/driver"
import { type MayDrive, mayDrive } from "~/entities/driver/may-drive"
import { daysBefore, warsawDate } from "~/lib/dates"
import { compareNames } from "~/lib/letters"

type WithheldQueue = { fresh: DriverSummaryOut[]; known: DriverSummaryOut[] }

/** Whether the episode began yesterday or today in Warsaw. */
export function isNewEpisode({ since }: Pick<EpisodeOut, "since">, today: string): boolean {
  return warsawDate(Date.parse(since)) >= daysBefore(today, 1)
}

const episodeKey = ({ id, episode }: DriverSummaryOut) => `${id} ${episode?.since}`

/** The episodes that are acknowledged. */
export function handledEpisodes(drivers: readonly DriverSummaryOut[]): ReadonlySet<string> {
  return new Set(drivers.filter(({ episode }) => episode?.acknowledgement).map(episodeKey))
}

/**
 * The withheld drivers, each group with the latest first. `handled` are known, and the last ones. An
 * acknowledgement since then moves no row.
 */
export function queueWithheld(
  drivers: readonly DriverSummaryOut[],
  today: string,
  handled: ReadonlySet<string>,
): WithheldQueue {
  const isHandled = (driver: DriverSummaryOut) => handled.has(episodeKey(driver))
  const withheld = drivers
    .filter(isWithheld)
    .sort(
      (a, b) =>
        Number(isHandled(a)) - Number(isHandled(b)) ||
        (b.episode?.since ?? "").localeCompare(a.episode?.since ?? "") ||
        compareNames(a.lastName, b.lastName),
    )
  const isFresh = (driver: DriverSummaryOut) =>
    !driver.episode || (isNewEpisode(driver.episode, today) && !isHandled(driver))
  return { fresh: withheld.filter(isFresh), known: withheld.filter((one) => !isFresh(one)) }
}

type AttentionEntry = {
  driver: DriverSummaryOut
  reasons: AttentionReason[]
  answer: MayDrive
}

const answers: readonly MayDrive[] = ["no", "check", "yes"]

/**
 * The drivers who need attention, except the withheld ones, who are in the red section: first those
 * who may not drive. Of each answer, those with nothing but something that expires soon are last.
 */
export function queueAttention(
  drivers: readonly DriverSummaryOut[],
  today: string,
): AttentionEntry[] {
  return drivers
    .map((driver) => ({
      driver,
      reasons: attentionReasons(driver, today),
      answer: mayDrive(driver, today),
    }))
    .filter(({ driver, reasons }) => reasons.length > 0 && !isWithheld(driver))
    .sort(
      (a, b) =>
        answers.indexOf(a.answer) - answers.indexOf(b.answer) ||
        Number(a.reasons[0] === "expires_soon") - Number(b.reasons[0] === "expires_soon") ||
        compareNames(a.driver.lastName, b.driver.lastName),
    )
}
