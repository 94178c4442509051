import { useMutation } from "@tanstack/react-query"
import { UserRoundCheck } from "lucide-react"
import { useTranslation } from "react-i18next"
import { acknowledgeDriversMutation } from "~/api/@tanstack/react-query.gen"
import type { AcknowledgementResultOut, DriverSummaryOut } from "~/api/types.gen"
import { refetchQueries } from "~/lib/cached-queries"
import { Button } from "~/ui/button"
import { useMayAcknowledge } from "./acknowledgement-calls"

/** How many episodes the server acknowledges at a time. */
const maxAtOnce = 500

type AcknowledgeChosenProps = { drivers: readonly DriverSummaryOut[]; onAcknowledged: () => void }

/**
 * Acknowledges the open episodes of several drivers at once, without a note; nothing while none of
 * them has one, or the user may not.
 */
export function AcknowledgeChosen({ drivers, onAcknowledged }: AcknowledgeChosenProps) {
  const { t } = useTranslation()
  const acknowledge = useMutation({
    ...acknowledgeDriversMutation(),
    meta: {
      done: (results: AcknowledgementResultOut[]) =>
        t("dashboard.queue.savedChosen", {
          saved: results.filter(({ result }) => result === "acknowledged").length,
          total: results.length,
        }),
      failed: () => t("dashboard.queue.saveFailed"),
    },
    onSettled: () => refetchQueries("drivers", "notices"),
  })
  const mayAcknowledge = useMayAcknowledge()
  const episodes = drivers.flatMap(({ id, episode }) =>
    episode && !episode.acknowledgement ? { driverId: id, since: episode.since } : [],
  )
  if (episodes.length === 0 || !mayAcknowledge) return null
  return (
    <Button
      variant="secondary"
      size="sm"
      icon={UserRoundCheck}
      loading={acknowledge.isPending}
      onClick={() =>
        acknowledge.mutate(
          { body: { episodes: episodes.slice(0, maxAtOnce) } },
          { onSuccess: onAcknowledged },
        )
      }
    >
      {t("dashboard.queue.acknowledgeChosen", { count: episodes.length })}
    </Button>
  )
}
