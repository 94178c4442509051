/** What users can do with one of several drivers, and which act the driver needs first. */

import type { DriverSummaryOut } from "~/api/types.gen"
import { isOpen } from "./acknowledgement-calls"
import { latestVerification } from "./driver"
import type { MayDrive } from "./may-drive"

/** In the order of a row's menu. */
const driverActs = ["open", "acknowledge", "check", "history", "edit", "delete"] as const
export type DriverAct = (typeof driverActs)[number]
export type FirstAct = Extract<DriverAct, "edit" | "acknowledge" | "check" | "history">

/** `canEdit` needs an active subscription, `mayAcknowledge` a user who is no operator. */
export type ActRights = { canEdit: boolean; mayAcknowledge: boolean }

export function listActs(
  driver: DriverSummaryOut,
  { canEdit, mayAcknowledge }: ActRights,
): DriverAct[] {
  const isPossible: Partial<Record<DriverAct, boolean>> = {
    acknowledge: mayAcknowledge && isOpen(driver),
    check: canEdit && !driver.overLimit,
    edit: canEdit,
  }
  return driverActs.filter((act) => isPossible[act] ?? true)
}

/**
 * What the driver needs first: other details if the register does not know the document, else to be
 * taken off the road, else a new answer. The history of those who need nothing.
 */
export function firstAct(driver: DriverSummaryOut, answer: MayDrive, rights: ActRights): FirstAct {
  const latest = latestVerification(driver)
  const possible = listActs(driver, rights)
  const needed: FirstAct[] = ["acknowledge"]
  if (latest?.status === "not_found") needed.unshift("edit")
  // The first check starts by itself.
  if (latest && answer !== "yes") needed.push("check")
  return needed.find((act) => possible.includes(act)) ?? "history"
}
