import { useMutation, useQuery } from "@tanstack/react-query"
import { CircleCheck, UserRoundCheck } from "lucide-react"
import { useEffect } from "react"
import { useTranslation } from "react-i18next"
import { acknowledgeByLinkMutation } from "~/api/@tanstack/react-query.gen"
import { viewAcknowledgementLink } from "~/api/sdk.gen"
import type { AcknowledgementLinkOut } from "~/api/types.gen"
import { maxNoteLength, NotePresets, vNote } from "~/entities/driver/acknowledgement"
import { formatDateTime, formatTime } from "~/lib/dates"
import { isApiError } from "~/lib/error-messages"
import { showLanguage } from "~/lib/i18n"
import { detectLanguage } from "~/lib/language"
import { loginPath } from "~/lib/next-path"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { ButtonLink } from "~/ui/button-link"
import { ErrorAlert } from "~/ui/error-alert"
import { Fact } from "~/ui/fact"
import { Field } from "~/ui/field"
import { QueryState } from "~/ui/query-state"
import { Form, useServerForm } from "~/ui/server-form"

/**
 * An alert that its reader acknowledges without signing in. Nothing happens before the button is
 * pressed: mail servers open links.
 */
export function AcknowledgementLink({ token }: { token: string }) {
  const { t } = useTranslation()
  const link = useQuery({
    // Of this page alone: the token stays in no cache that outlives it.
    queryKey: ["acknowledgementLink", token],
    queryFn: async ({ signal }) =>
      (await viewAcknowledgementLink({ body: { token }, signal, throwOnError: true })).data,
    gcTime: 0,
    enabled: token !== "",
  })
  const acknowledge = useMutation(acknowledgeByLinkMutation())
  const data = acknowledge.data ?? link.data
  const language = data?.language
  useEffect(() => {
    if (!language) return
    // Of this page alone: another person may use this browser.
    void showLanguage(language)
    return () => void showLanguage(detectLanguage())
  }, [language])
  const form = useServerForm({
    schema: vNote,
    defaultValues: { note: "" },
    call: acknowledge,
    send: ({ note }) => acknowledge.mutateAsync({ body: { token, note } }),
  })

  if (token === "" || isApiError(link.error ?? acknowledge.error, "invalid_recipient_link")) {
    return <Closed reason="invalid" />
  }
  return (
    <QueryState
      query={{ ...link, data }}
      loadingLabel={t("notifications.alertLink.loading")}
      errorTitle={t("notifications.alertLink.loadFailed")}
    >
      {(alert) =>
        alert.state === "expired" ? (
          <Closed reason="expired" />
        ) : (
          <>
            <AlertFacts alert={alert} />
            {alert.state === "open" && (
              <Form
                submit={form.submit}
                label={t("notifications.acknowledgementLink.title")}
                className="flex flex-col gap-4"
              >
                <Field
                  label={t("dashboard.queue.note")}
                  autoComplete="off"
                  maxLength={maxNoteLength}
                  {...form.field("note")}
                />
                <NotePresets onChoose={(note) => form.form.setValue("note", note)} />
                <ErrorAlert title={t("dashboard.queue.saveFailed")} error={form.error} />
                <div className="-mx-5 -my-1 flex flex-col border-line bg-surface px-5 py-3 max-sm:sticky max-sm:bottom-0 max-sm:border-t sm:mx-0 sm:px-0">
                  <Button type="submit" icon={UserRoundCheck} loading={acknowledge.isPending}>
                    {t("notifications.acknowledgementLink.acknowledge")}
                  </Button>
                </div>
              </Form>
            )}
            <ButtonLink
              variant={openVariant(alert)}
              to={loginPath(`/panel/drivers/${alert.driverId}`)}
            >
              {t("notifications.acknowledgementLink.open")}
            </ButtonLink>
          </>
        )
      }
    </QueryState>
  )
}

/** A link that shows nothing of the driver: false, or older than 48 hours. */
function Closed({ reason }: { reason: "invalid" | "expired" }) {
  const { t } = useTranslation()
  return (
    <>
      <Alert
        tone="caution"
        live="alert"
        title={t(`notifications.acknowledgementLink.${reason}.title`)}
      >
        {t(`notifications.acknowledgementLink.${reason}.text`)}
      </Alert>
      <ButtonLink to={loginPath("/panel")}>
        {t("notifications.acknowledgementLink.signIn")}
      </ButtonLink>
    </>
  )
}

/** The way to the panel: beside the button that acts it is a mere link. */
function openVariant(alert: AcknowledgementLinkOut) {
  if (alert.state === "open") return "ghost"
  return answer(alert) === "yes" ? "secondary" : "primary"
}

const endedTones = { no: "error", check: "caution", yes: "info" } as const

/** Whether the driver may drive now; a server of the release before does not say it. */
const answer = ({ mayDrive }: AcknowledgementLinkOut) => mayDrive ?? "check"

/** Whom the alert is about, what it said, and who has acknowledged it. */
function AlertFacts({ alert }: { alert: AcknowledgementLinkOut }) {
  const { t } = useTranslation()
  const { acknowledgement, since, state } = alert
  return (
    <>
      <p className="wrap-anywhere text-xl font-semibold">{alert.name}</p>
      {state === "acknowledged" && acknowledgement && (
        <div role="status" className="flex items-start gap-3">
          {/* Only the act is done: the driver still may not drive. */}
          <CircleCheck aria-hidden className="size-12 shrink-0 text-valid" />
          <div className="min-w-0">
            <p className="figures font-semibold sm:text-lg">
              <span>{t("notifications.acknowledgementLink.done")}</span>
              <span> · {formatTime(acknowledgement.createdAt)}</span>
            </p>
            <p className="figures wrap-anywhere text-sm text-ink-soft">
              {acknowledgement.createdBy ?? t("dashboard.queue.formerMember")},{" "}
              {formatDateTime(acknowledgement.createdAt)}
            </p>
            {acknowledgement.note && <p className="wrap-anywhere">{acknowledgement.note}</p>}
          </div>
        </div>
      )}
      {state === "ended" && (
        <Alert
          tone={endedTones[answer(alert)]}
          live={answer(alert) === "yes" ? "status" : "alert"}
          title={t(`notifications.acknowledgementLink.ended.${answer(alert)}.title`)}
        >
          {t(`notifications.acknowledgementLink.ended.${answer(alert)}.text`)}
        </Alert>
      )}
      <dl className="grid grid-cols-2 gap-3">
        <Fact name={t("notifications.acknowledgementLink.number")}>{alert.licenseNumber}</Fact>
        {since && (
          <Fact name={t("notifications.acknowledgementLink.since")}>{formatDateTime(since)}</Fact>
        )}
      </dl>
      <details open={state === "open"}>
        <summary className="cursor-pointer py-1 text-sm text-ink-soft">
          {t("notifications.acknowledgementLink.alert")}
        </summary>
        <p className="mt-1 wrap-anywhere">{alert.alert}</p>
      </details>
    </>
  )
}
