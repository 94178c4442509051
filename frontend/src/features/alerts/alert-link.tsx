import { useMutation, useQuery } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import {
  confirmAlertsMutation,
  resumeAlertsMutation,
  stopAlertsMutation,
} from "~/api/@tanstack/react-query.gen"
import { viewAlertLink } from "~/api/sdk.gen"
import type { RecipientLinkOut } from "~/api/types.gen"
import { isApiError } from "~/lib/error-messages"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { QueryState } from "~/ui/query-state"
import { noticeGroups } from "./group-choice"

/**
 * The decision of a person without an account about a company's alerts. Nothing happens before a
 * button is pressed: mail servers open links.
 */
export function AlertLink({ token }: { token: string }) {
  const { t } = useTranslation()
  const link = useQuery({
    // Of this page alone: the token stays in no cache that outlives it.
    queryKey: ["alertLink", token],
    queryFn: async ({ signal }) =>
      (await viewAlertLink({ body: { token }, signal, throwOnError: true })).data,
    gcTime: 0,
    enabled: token !== "",
  })
  const decided = useDecisions(token)
  const data = decided.data ?? link.data

  if (token === "" || isApiError(link.error ?? decided.error, "invalid_recipient_link")) {
    return (
      <Alert tone="caution" live="alert" title={t("notifications.alertLink.invalid")}>
        {t("notifications.alertLink.invalidText")}
      </Alert>
    )
  }
  return (
    <QueryState
      query={{ ...link, data }}
      loadingLabel={t("notifications.alertLink.loading")}
      errorTitle={t("notifications.alertLink.loadFailed")}
    >
      {(shown) => (
        <>
          <LinkState link={shown} />
          <ErrorAlert title={t("notifications.alertLink.failed")} error={decided.error} />
          <Choices link={shown} {...decided} />
        </>
      )}
    </QueryState>
  )
}

type Decisions = {
  data: RecipientLinkOut | undefined
  error: unknown
  isPending: boolean
  confirm: () => void
  stop: () => void
  resume: () => void
}

function useDecisions(token: string): Decisions {
  const confirm = useMutation(confirmAlertsMutation())
  const stop = useMutation(stopAlertsMutation())
  const resume = useMutation(resumeAlertsMutation())
  const latest = [confirm, stop, resume].reduce((a, b) => (b.submittedAt > a.submittedAt ? b : a))
  const body = { token }
  return {
    data: latest.data ?? [confirm, stop, resume].find((one) => one.data)?.data,
    error: latest.error,
    isPending: latest.isPending,
    confirm: () => confirm.mutate({ body }),
    stop: () => stop.mutate({ body }),
    resume: () => resume.mutate({ body }),
  }
}

function LinkState({ link }: { link: RecipientLinkOut }) {
  const { t } = useTranslation()
  const { company, email, state, kind, expired, wasConfirmed } = link
  if (state === "active") {
    return (
      <Alert tone="valid" live="status" title={t("notifications.alertLink.active", { company })}>
        <p className="wrap-anywhere">{t("notifications.alertLink.activeText", { email })}</p>
      </Alert>
    )
  }
  if (state === "stopped") {
    return (
      <Alert tone="caution" live="status" title={t("notifications.alertLink.stopped", { company })}>
        <p className="wrap-anywhere">
          {t(
            wasConfirmed
              ? "notifications.alertLink.stoppedText"
              : "notifications.alertLink.refusedText",
            { email },
          )}
        </p>
      </Alert>
    )
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="wrap-anywhere">{t("notifications.alertLink.ask", { company, email })}</p>
      <ul className="list-disc pl-5">
        {noticeGroups
          .filter((group) => link.groups.includes(group))
          .map((group) => (
            <li key={group}>{t(`notifications.alertLink.groups.${group}`)}</li>
          ))}
      </ul>
      <p className="text-sm text-ink-soft">{t("notifications.alertLink.secrecy")}</p>
      {kind === "invitation" && expired && (
        <Alert tone="caution" title={t("notifications.alertLink.expired")}>
          {t("notifications.alertLink.expiredText")}
        </Alert>
      )}
    </div>
  )
}

function Choices({
  link,
  isPending,
  confirm,
  stop,
  resume,
}: Decisions & { link: RecipientLinkOut }) {
  const { t } = useTranslation()
  const { state, kind, expired, wasConfirmed } = link
  const canConfirm = kind === "invitation" && !expired
  return (
    <div className="flex flex-col gap-3">
      {state === "waiting" && canConfirm && (
        <Button loading={isPending} onClick={confirm}>
          {t("notifications.alertLink.confirm")}
        </Button>
      )}
      {state === "stopped" && (wasConfirmed || canConfirm) && (
        <Button variant="secondary" loading={isPending} onClick={wasConfirmed ? resume : confirm}>
          {t("notifications.alertLink.resume")}
        </Button>
      )}
      {state !== "stopped" && (
        <Button variant="secondary" loading={isPending} onClick={stop}>
          {t(
            state === "active" ? "notifications.alertLink.stop" : "notifications.alertLink.refuse",
          )}
        </Button>
      )}
    </div>
  )
}
