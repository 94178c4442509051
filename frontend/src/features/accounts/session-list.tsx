import { Monitor, Smartphone } from "lucide-react"
import { useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import type { SessionOut } from "~/api/types.gen"
import { formatMoment } from "~/shared/dates"
import { problemSentence } from "~/shared/problem"
import { Alert } from "~/ui/alert"
import { Badge } from "~/ui/badge"
import { Button } from "~/ui/button"
import { Failure } from "~/ui/failure"
import { Spinner } from "~/ui/spinner"
import { showToast } from "~/ui/toasts"
import { deviceOf } from "./agent"
import { useRevokeOtherSessions, useRevokeSession, useSessions } from "./use-sessions"

const shownAtFirst = 5

/** Where the account is signed in; each place but this one can be signed out, or all at once. */
export function SessionList() {
  const { t } = useTranslation()
  const sessions = useSessions()
  const revoke = useRevokeSession()
  const revokeOthers = useRevokeOtherSessions()
  const [all, setAll] = useState(false)
  const [done, setDone] = useState(0)
  const status = useRef<HTMLParagraphElement>(null)

  if (sessions.isPending) return <Spinner label={t("accounts.sessions.loading")} />
  if (sessions.isError) {
    return (
      <div className="p-5">
        <Failure
          title={t("accounts.sessions.loadFailed")}
          error={sessions.error}
          onRetry={() => void sessions.refetch()}
          retrying={sessions.isFetching}
        />
      </div>
    )
  }

  // This browser first, then whoever was here last.
  const sorted = [...sessions.data].sort(
    (a, b) => Number(b.current) - Number(a.current) || b.lastSeenAt.localeCompare(a.lastSeenAt),
  )
  const failure = revoke.error ?? revokeOthers.error

  const ended = (count: number) => {
    setDone(count)
    status.current?.focus() // the button that was pressed goes with its row
    showToast({
      title: t("common.success"),
      description: t("accounts.sessions.revoked", { count }),
    })
  }
  const failed = (error: unknown) =>
    showToast({
      tone: "error",
      title: t("common.error"),
      description: problemSentence(t, error, t("accounts.sessions.failed")),
    })
  const signOut = (session: SessionOut) => {
    revokeOthers.reset()
    setDone(0)
    revoke.mutate(
      { path: { session_id: session.id } },
      { onSuccess: () => ended(1), onError: failed },
    )
  }
  const signOutOthers = () => {
    revoke.reset()
    setDone(0)
    revokeOthers.mutate({}, { onSuccess: ({ count }) => ended(count), onError: failed })
  }

  return (
    <>
      <ul className="divide-y divide-line">
        {(all ? sorted : sorted.slice(0, shownAtFirst)).map((session) => (
          <Row
            key={session.id}
            session={session}
            ending={revoke.isPending && revoke.variables.path.session_id === session.id}
            onSignOut={() => signOut(session)}
          />
        ))}
      </ul>
      {failure && (
        <div className="border-t border-line p-5">
          <Alert title={t("accounts.sessions.failed")}>
            {problemSentence(t, failure, t("common.tryLater"))}
          </Alert>
        </div>
      )}
      {sorted.length > 1 && (
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3 border-t border-line p-5">
          <Button
            variant="secondary"
            size="sm"
            loading={revokeOthers.isPending}
            onClick={signOutOthers}
          >
            {t("accounts.sessions.others")}
          </Button>
          {!all && sorted.length > shownAtFirst && (
            <Button variant="ghost" size="sm" onClick={() => setAll(true)}>
              {t("accounts.sessions.all", { count: sorted.length })}
            </Button>
          )}
        </div>
      )}
      <p
        ref={status}
        role="status"
        tabIndex={-1}
        className="border-t border-line px-5 py-4 text-sm text-valid-ink focus:outline-none empty:absolute"
      >
        {done > 0 && t("accounts.sessions.revoked", { count: done })}
      </p>
    </>
  )
}

type RowProps = { session: SessionOut; ending: boolean; onSignOut: () => void }

function Row({ session, ending, onSignOut }: RowProps) {
  const { t } = useTranslation()
  const { current, ip, createdAt, lastSeenAt } = session
  const device = deviceOf(session.agent)
  const name = device.name ?? t("accounts.sessions.unknown")
  const Icon = device.mobile ? Smartphone : Monitor
  const seen = formatMoment(lastSeenAt)

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
      <Icon aria-hidden className="size-6 shrink-0 text-ink-soft max-sm:hidden" strokeWidth={1.5} />
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold" title={session.agent}>
            {name}
          </span>
          {current && <Badge tone="valid">{t("accounts.sessions.current")}</Badge>}
        </p>
        <p className="figures flex flex-wrap gap-x-4 text-sm text-ink-soft">
          <span className="wrap-anywhere">{ip}</span>
          <span>{t("accounts.sessions.lastSeen", { date: seen })}</span>
          <span>{t("accounts.sessions.since", { date: formatMoment(createdAt) })}</span>
        </p>
      </div>
      {!current && (
        <Button
          variant="secondary"
          size="sm"
          loading={ending}
          aria-label={t("accounts.sessions.revokeOf", { name, date: seen })}
          onClick={onSignOut}
        >
          {t("accounts.sessions.revoke")}
        </Button>
      )}
    </li>
  )
}
