import { useMutation } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import {
  checkDriverMutation,
  listChangesQueryKey,
  listVerificationsQueryKey,
} from "~/api/@tanstack/react-query.gen"
import { listChanges, listVerifications } from "~/api/sdk.gen"
import type { DriverSummaryOut, StateChangeOut, VerificationOut } from "~/api/types.gen"
import { entitles } from "~/entities/driver/may-drive"
import { usePages } from "~/hooks/use-pages"
import { useProductToday } from "~/hooks/use-product-now"
import { refetchQueries } from "~/lib/cached-queries"

const changesPerPage = 25
const checksPerPage = 100

/** The changes of one driver's answer, newest first, a page at a time. */
export function useChangeHistory(driverId: string) {
  const path = { driver_id: driverId }
  return usePages({
    queryKey: listChangesQueryKey({ path }),
    pageSize: changesPerPage,
    call: (query, options) => listChanges({ path, query, ...options }),
    // The daily check adds verifications while the panel is open.
    refetchOnMount: "always",
  })
}

/** The single verifications of a change, newest first, a page at a time. */
export function useChecksOf({ driverId, firstVerifiedAt, verifiedAt }: StateChangeOut) {
  const path = { driver_id: driverId }
  const span = { since: firstVerifiedAt, until: verifiedAt }
  return usePages({
    queryKey: listVerificationsQueryKey({ path, query: span }),
    pageSize: checksPerPage,
    call: (query, options) => listVerifications({ path, query: { ...span, ...query }, ...options }),
  })
}

type CheckedDriver = Pick<DriverSummaryOut, "id" | "neededCategories">

/** Checks one of the drivers manually; the list and the history show the result, and a toast names it. */
export function useCheckDriver(drivers: readonly CheckedDriver[]) {
  const { t } = useTranslation()
  const today = useProductToday()
  const failed = t("verifications.history.checkFailed")

  /** A check that ended well may have brought bad news. */
  const describeResult = ({ documentStatus, status }: VerificationOut) =>
    t("verifications.history.result", {
      result: documentStatus ?? t(`verifications.outcome.${status}`),
    })

  const check = useMutation({
    ...checkDriverMutation(),
    meta: {
      done: (verification: VerificationOut) => {
        const needed = drivers.find(({ id }) => id === verification.driverId)?.neededCategories
        return {
          tone: entitles(verification, today, needed) ? "plain" : "notice",
          description: t("verifications.history.checked"),
          detail: describeResult(verification),
        }
      },
      failed,
    },
    onSuccess: () => refetchQueries("drivers", "notices"),
  })
  return { check, describeResult, failed }
}
