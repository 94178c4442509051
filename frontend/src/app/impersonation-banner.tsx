import { useMutation } from "@tanstack/react-query"
import { Eye } from "lucide-react"
import { useEffect, useMemo, useState } from "react"
import { Trans, useTranslation } from "react-i18next"
import { leaveImpersonation } from "~/api/sdk.gen"
import type { UserOut } from "~/api/types.gen"
import { browserLocation } from "~/hooks/use-external-redirect"
import { useOptionalUser } from "~/hooks/use-user"
import { errorMessage, isUnauthenticated } from "~/lib/error-messages"
import { changeSession } from "~/lib/query-client"
import { announceSession } from "~/lib/session"
import { Button } from "~/ui/button"

const minute = 60_000
/** Milliseconds between two looks at the clock. */
const tick = 10_000
/** The console is another application: it needs a full page load. */
const consoleUrl = "/admin/"

/**
 * Says on every screen that an operator acts in the user's name, for how long yet, and leads back
 * (docs/rules.md R21).
 */
export function ImpersonationBanner() {
  const { t } = useTranslation()
  const user = useOptionalUser()
  const minutes = useMinutesLeft(user?.impersonator ?? null)
  const leave = useLeaveImpersonation()

  if (!user?.impersonator) return null
  return (
    <section
      aria-label={t("common.impersonation.label")}
      className="sticky bottom-0 z-40 flex flex-wrap items-center justify-center gap-x-6 gap-y-2 border-t-2 border-caution-ink bg-caution-soft px-4 py-2 text-sm leading-6 text-caution-ink"
    >
      <p className="flex min-w-0 items-start gap-3">
        <Eye aria-hidden className="mt-0.5 size-5 shrink-0" />
        <span className="min-w-0 wrap-anywhere">
          <Trans
            t={t}
            i18nKey="common.impersonation.text"
            values={{ email: user.email, operator: user.impersonator.email }}
            components={{ strong: <strong className="font-semibold" /> }}
          />{" "}
          <span className="figures whitespace-nowrap">
            {minutes > 0
              ? t("common.impersonation.minutes", { minutes })
              : t("common.impersonation.over")}
          </span>
        </span>
      </p>
      <Button
        variant="secondary"
        size="sm"
        loading={leave.isPending}
        onClick={() => leave.mutate()}
      >
        {t("common.impersonation.leave")}
      </Button>
    </section>
  )
}

/** The whole minutes until the session ends, rounded up, counted from the first look at it. */
function useMinutesLeft(impersonator: UserOut["impersonator"]): number {
  const end = useMemo(() => Date.now() + (impersonator?.secondsLeft ?? 0) * 1000, [impersonator])
  const [now, setNow] = useState(() => Date.now())

  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), tick)
    return () => window.clearInterval(timer)
  }, [])

  return Math.max(0, Math.ceil((end - now) / minute))
}

/** Ends the impersonation and opens the console; after the hour the session is over, too. */
function useLeaveImpersonation() {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: () => changeSession(() => leaveImpersonation({ throwOnError: true })),
    meta: {
      failed: (error) =>
        isUnauthenticated(error) ? undefined : errorMessage(t, error, t("common.tryLater")),
      failedCall: t("common.impersonation.leaveFailed"),
    },
    onSuccess: () => {
      announceSession()
      browserLocation.assign(consoleUrl)
    },
    onError: (error) => isUnauthenticated(error) && browserLocation.assign(consoleUrl),
  })
}
