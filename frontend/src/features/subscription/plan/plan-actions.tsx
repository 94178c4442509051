import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import {
  cancelSubscriptionMutation,
  changeLimitMutation,
  getSubscriptionQueryKey,
  resumeSubscriptionMutation,
} from "~/api/@tanstack/react-query.gen"
import type { SubscriptionOut } from "~/api/types.gen"
import { isPaidPeriodActive } from "~/features/subscription/use-subscription"
import { formatDate } from "~/lib/dates"
import { errorMessage } from "~/lib/error-messages"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { ConfirmDialog } from "~/ui/confirm-dialog"
import { showToast } from "~/ui/toasts"

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

/** Shows the toast of a failed request. */
function useErrorToast(): (error: unknown, fallback: string) => void {
  const { t } = useTranslation()
  return (error, fallback) =>
    showToast({
      tone: "error",
      title: t("subscription.toast.error"),
      description: errorMessage(t, error, fallback),
    })
}

function CancelSubscription({ subscription }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const cache = useQueryClient()
  const [dialogOpen, setDialogOpen] = useState(false)
  const showErrorToast = useErrorToast()
  const failed = t("subscription.cancel.failed")
  const cancel = useMutation({
    ...cancelSubscriptionMutation(),
    onSuccess: async () => {
      showToast({
        title: t("subscription.toast.success"),
        description: t("subscription.cancel.done"),
      })
      setDialogOpen(false)
      await cache.invalidateQueries({ queryKey: getSubscriptionQueryKey() })
    },
    onError: (error) => showErrorToast(error, failed),
  })
  const handleOpenChange = (open: boolean) => {
    cancel.reset()
    setDialogOpen(open)
  }
  const date = subscription.endDate ? formatDate(subscription.endDate) : ""

  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => handleOpenChange(true)}>
        {t("subscription.cancel.action")}
      </Button>
      <ConfirmDialog
        open={dialogOpen}
        onOpenChange={handleOpenChange}
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
        {cancel.error && <Alert>{errorMessage(t, cancel.error, failed)}</Alert>}
      </ConfirmDialog>
    </>
  )
}

function ResumeSubscription({ subscription }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const cache = useQueryClient()
  const showErrorToast = useErrorToast()
  const failed = t("subscription.resume.failed")
  const resume = useMutation({
    ...resumeSubscriptionMutation(),
    onSuccess: (resumed) => {
      cache.setQueryData(getSubscriptionQueryKey(), resumed)
      showToast({
        title: t("subscription.toast.success"),
        description: t("subscription.resume.done"),
      })
    },
    onError: (error) => showErrorToast(error, failed),
  })
  const date = subscription.endDate ? formatDate(subscription.endDate) : ""

  return (
    <>
      {resume.error && <ActionError>{errorMessage(t, resume.error, failed)}</ActionError>}
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
  const cache = useQueryClient()
  const showErrorToast = useErrorToast()
  const failed = t("subscription.keepLimit.failed")
  const keepLimit = useMutation({
    ...changeLimitMutation(),
    onSuccess: ({ subscription }) => {
      cache.setQueryData(getSubscriptionQueryKey(), subscription)
      showToast({
        title: t("subscription.toast.success"),
        description: t("subscription.keepLimit.done"),
      })
    },
    onError: (error) => showErrorToast(error, failed),
  })

  return (
    <>
      {keepLimit.error && <ActionError>{errorMessage(t, keepLimit.error, failed)}</ActionError>}
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

function ActionError({ children }: { children: string }) {
  return (
    <div className="basis-full">
      <Alert>{children}</Alert>
    </div>
  )
}
