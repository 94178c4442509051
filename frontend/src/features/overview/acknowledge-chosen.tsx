import { useMutation } from "@tanstack/react-query"
import { UserRoundCheck } from "lucide-react"
import { useTranslation } from "react-i18next"
import { acknowledgeDriversMutation } from "~/api/@tanstack/react-query.gen"
import type { AcknowledgementResultOut, DriverSummaryOut } from "~/api/types.gen"
import { refetchQueries } from "~/lib/cached-queries"
import { Button } from "~/ui/button"

/** How many episodes the server acknowledges at a time. */
const maxAtOnce = 500

type AcknowledgeChosenProps = { drivers: readonly DriverSummaryOut[]; onAcknowledged: () => void }

/** Acknowledges the episodes of several drivers at once, without a note; nothing while none is chosen. */
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
    onSettled: () => refetchQueries("drivers"),
  })
  if (drivers.length === 0) return null
  const episodes = drivers.flatMap(({ id, episode }) =>
    episode ? { driverId: id, since: episode.since } : [],
  )
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
      {t("dashboard.queue.acknowledgeChosen", { count: drivers.length })}
    </Button>
  )
}
