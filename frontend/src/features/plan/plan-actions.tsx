import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import {
  cancelSubscriptionMutation,
  changeLimitMutation,
  getSubscriptionQueryKey,
  resumeSubscriptionMutation,
} from "~/api/@tanstack/react-query.gen"
import type { SubscriptionOut } from "~/api/types.gen"
import { isPaidPeriodActive, orderOutcomes } from "~/entities/subscription/use-subscription"
import { refetchQueries } from "~/lib/cached-queries"
import { formatDate } from "~/lib/dates"
import { queryClient } from "~/lib/query-client"
import { Button } from "~/ui/button"
import { ConfirmDialog } from "~/ui/confirm-dialog"
import { ErrorAlert } from "~/ui/error-alert"

/** The actions on a paid period: cancel it, resume it, keep the current limit. */
export function PlanActions({ subscription }: { subscription: SubscriptionOut }) {
  if (!isPaidPeriodActive(subscription)) return null
  const { nextLimit, nextLimitAt, endDate, driverLimit } = subscription
  // A change that takes effect before the end of the period is paid for, and cannot be undone.
  const reductionScheduled = nextLimit !== null && nextLimitAt === endDate
  return (
    <div className="flex flex-wrap gap-3 border-t border-line px-5 py-4">
      {reductionScheduled && <KeepCurrentLimit limit={driverLimit} />}
      {subscription.cancelled ? (
        <ResumeSubscription subscription={subscription} />
      ) : (
        <CancelSubscription subscription={subscription} />
      )}
    </div>
  )
}

function CancelSubscription({ subscription }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const [dialogOpen, setDialogOpen] = useState(false)
  const failed = t("subscription.cancel.failed")
  const cancel = useMutation({
    ...cancelSubscriptionMutation(),
    meta: orderOutcomes(t, { done: t("subscription.cancel.done"), failed }),
    onSuccess: () => {
      setDialogOpen(false)
      void refetchQueries("subscription")
    },
  })
  const openDialog = () => {
    cancel.reset()
    setDialogOpen(true)
  }
  const date = subscription.endDate ? formatDate(subscription.endDate) : ""

  return (
    <>
      <Button variant="secondary" size="sm" onClick={openDialog}>
        {t("subscription.cancel.action")}
      </Button>
      {dialogOpen && (
        <ConfirmDialog
          onClose={() => setDialogOpen(false)}
          title={t("subscription.cancel.title")}
          description={t(
            subscription.renews ? "subscription.cancel.renewsText" : "subscription.cancel.text",
            { date },
          )}
          cancelLabel={t("subscription.cancel.keep")}
          confirmLabel={t("subscription.cancel.action")}
          onConfirm={() => cancel.mutate({})}
          loading={cancel.isPending}
        >
          <ErrorAlert error={cancel.error} fallback={failed} />
        </ConfirmDialog>
      )}
    </>
  )
}

function ResumeSubscription({ subscription }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const failed = t("subscription.resume.failed")
  const resume = useMutation({
    ...resumeSubscriptionMutation(),
    meta: orderOutcomes(t, { done: t("subscription.resume.done"), failed }),
    onSuccess: (resumed) => queryClient.setQueryData(getSubscriptionQueryKey(), resumed),
  })
  const date = subscription.endDate ? formatDate(subscription.endDate) : ""

  return (
    <>
      <ErrorAlert error={resume.error} fallback={failed} className="basis-full" />
      <div className="flex basis-full flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="min-w-0 flex-1 basis-64 text-sm text-ink-soft">
          {t("subscription.resume.text", { date })}
        </p>
        <Button size="sm" loading={resume.isPending} onClick={() => resume.mutate({})}>
          {t("subscription.resume.action")}
        </Button>
      </div>
    </>
  )
}

function KeepCurrentLimit({ limit }: { limit: number }) {
  const { t } = useTranslation()
  const failed = t("subscription.keepLimit.failed")
  const keepLimit = useMutation({
    ...changeLimitMutation(),
    meta: orderOutcomes(t, { done: t("subscription.keepLimit.done"), failed }),
    onSuccess: ({ subscription }) =>
      queryClient.setQueryData(getSubscriptionQueryKey(), subscription),
  })

  return (
    <>
      <ErrorAlert error={keepLimit.error} fallback={failed} className="basis-full" />
      <Button
        variant="secondary"
        size="sm"
        loading={keepLimit.isPending}
        onClick={() => keepLimit.mutate({ body: { driverLimit: limit } })}
      >
        {t("subscription.keepLimit.action")}
      </Button>
    </>
  )
}
