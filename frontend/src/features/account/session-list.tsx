import { useMutation, useQuery } from "@tanstack/react-query"
import { Headset, Monitor, Smartphone } from "lucide-react"
import { useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import {
  listSessionsOptions,
  revokeOtherSessionsMutation,
  revokeSessionMutation,
} from "~/api/@tanstack/react-query.gen"
import type { RevokeOtherSessionsResponse, SessionOut } from "~/api/types.gen"
import { refetchQueries } from "~/lib/cached-queries"
import { formatDateTime } from "~/lib/dates"
import { parseDevice } from "~/lib/user-agent"
import { Badge } from "~/ui/badge"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { QueryState } from "~/ui/query-state"

const initialRowCount = 5

/** The account's sessions. Each but the current one can be revoked, or all of them at once. */
export function SessionList() {
  const { t } = useTranslation()
  const sessions = useSessions()
  const revoke = useRevokeSession()
  const revokeOthers = useRevokeOtherSessions()
  const [showAll, setShowAll] = useState(false)
  const [revokedCount, setRevokedCount] = useState(0)
  const status = useRef<HTMLParagraphElement>(null)

  const error = revoke.error ?? revokeOthers.error

  const onRevoked = (count: number) => {
    setRevokedCount(count)
    status.current?.focus() // the pressed button disappears with its row
  }
  const revokeSession = (session: SessionOut) => {
    revokeOthers.reset()
    setRevokedCount(0)
    revoke.mutate({ path: { session_id: session.id } }, { onSuccess: () => onRevoked(1) })
  }
  const revokeOtherSessions = () => {
    revoke.reset()
    setRevokedCount(0)
    revokeOthers.mutate({}, { onSuccess: ({ count }) => onRevoked(count) })
  }

  return (
    <QueryState
      query={sessions}
      loadingLabel={t("accounts.sessions.loading")}
      errorTitle={t("accounts.sessions.loadFailed")}
      errorClassName="m-5"
    >
      {(data) => (
        <>
          <ul className="divide-y divide-line">
            {sortSessions(data)
              .slice(0, showAll ? undefined : initialRowCount)
              .map((session) => (
                <SessionRow
                  key={session.id}
                  session={session}
                  revoking={revoke.isPending && revoke.variables.path.session_id === session.id}
                  onSignOut={() => revokeSession(session)}
                />
              ))}
          </ul>
          <ErrorAlert title={t("accounts.sessions.failed")} error={error} className="m-5" />
          {data.length > 1 && (
            <div className="flex flex-wrap items-center gap-x-5 gap-y-3 border-t border-line p-5">
              <Button
                variant="secondary"
                size="sm"
                loading={revokeOthers.isPending}
                onClick={revokeOtherSessions}
              >
                {t("accounts.sessions.others")}
              </Button>
              {!showAll && data.length > initialRowCount && (
                <Button variant="ghost" size="sm" onClick={() => setShowAll(true)}>
                  {t("accounts.sessions.all", { count: data.length })}
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
            {revokedCount > 0 && t("accounts.sessions.revoked", { count: revokedCount })}
          </p>
        </>
      )}
    </QueryState>
  )
}

/** The current session first, then the most recently active one. */
function sortSessions(sessions: readonly SessionOut[]): SessionOut[] {
  return [...sessions].sort(
    (a, b) => Number(b.current) - Number(a.current) || b.lastSeenAt.localeCompare(a.lastSeenAt),
  )
}

type SessionRowProps = { session: SessionOut; revoking: boolean; onSignOut: () => void }

function SessionRow({ session, revoking, onSignOut }: SessionRowProps) {
  const { t } = useTranslation()
  const { current, ip, createdAt, lastSeenAt } = session
  const device = parseDevice(session.agent)
  const name = session.operator
    ? t("accounts.sessions.operator")
    : (device.name ?? t("accounts.sessions.unknown"))
  const DeviceIcon = device.mobile ? Smartphone : Monitor
  const Icon = session.operator ? Headset : DeviceIcon
  const lastSeen = formatDateTime(lastSeenAt)

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
      <Icon aria-hidden className="size-6 shrink-0 text-ink-soft max-sm:hidden" strokeWidth={1.5} />
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold" title={session.agent}>
            {name}
          </span>
          {current && <Badge tone="valid">{t("accounts.sessions.current")}</Badge>}
          {session.inNameOf && (
            <Badge tone="caution">
              {t("accounts.sessions.inNameOf", { email: session.inNameOf })}
            </Badge>
          )}
        </p>
        <p className="figures flex flex-wrap gap-x-4 text-sm text-ink-soft">
          {ip && <span className="wrap-anywhere">{ip}</span>}
          <span>{t("accounts.sessions.lastSeen", { date: lastSeen })}</span>
          <span>{t("accounts.sessions.since", { date: formatDateTime(createdAt) })}</span>
        </p>
      </div>
      {!current && (
        <Button
          variant="secondary"
          size="sm"
          loading={revoking}
          aria-label={t("accounts.sessions.revokeOf", { name, date: lastSeen })}
          onClick={onSignOut}
        >
          {t("accounts.sessions.revoke")}
        </Button>
      )}
    </li>
  )
}

/** The account's sessions, refetched on every mount. */
function useSessions() {
  return useQuery({ ...listSessionsOptions(), refetchOnMount: "always" })
}

// Refetched after failures too: the session may have ended in the meantime.
function useRevokeSession() {
  const { t } = useTranslation()
  return useMutation({
    ...revokeSessionMutation(),
    meta: {
      done: t("accounts.sessions.revoked", { count: 1 }),
      failed: t("accounts.sessions.failed"),
    },
    onSettled: () => refetchQueries("sessions"),
  })
}

function useRevokeOtherSessions() {
  const { t } = useTranslation()
  return useMutation({
    ...revokeOtherSessionsMutation(),
    meta: {
      done: ({ count }: RevokeOtherSessionsResponse) => t("accounts.sessions.revoked", { count }),
      failed: t("accounts.sessions.failed"),
    },
    onSettled: () => refetchQueries("sessions"),
  })
}
