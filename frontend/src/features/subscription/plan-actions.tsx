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
import { formatDate } from "~/shared/dates"
import { problemSentence } from "~/shared/problem"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { ConfirmDialog } from "~/ui/confirm-dialog"
import { showToast } from "~/ui/toasts"
import { isPaid } from "./use-subscription"

/** What can be done with the plan that runs: end it, let it go on, take a lower limit back. */
export function PlanActions({ subscription }: { subscription: SubscriptionOut }) {
  if (!isPaid(subscription)) return null
  const { nextLimit, nextLimitAt, endDate, driverLimit } = subscription
  // Where it begins before the end, it is paid for, and no longer a plan.
  const planned = nextLimit !== null && nextLimitAt === endDate
  return (
    <div className="flex flex-wrap gap-3 border-t border-line px-5 py-4">
      {planned && <KeepLimit limit={driverLimit} />}
      {subscription.cancelled ? (
        <Resume subscription={subscription} />
      ) : (
        <Cancel subscription={subscription} />
      )}
    </div>
  )
}

/** The toast of a call that was refused. */
function useRefusal(): (error: unknown, fallback: string) => void {
  const { t } = useTranslation()
  return (error, fallback) =>
    showToast({
      tone: "error",
      title: t("subscription.toast.error"),
      description: problemSentence(t, error, fallback),
    })
}

function Cancel({ subscription }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const cache = useQueryClient()
  const [asking, setAsking] = useState(false)
  const refused = useRefusal()
  const failed = t("subscription.cancel.failed")
  const cancel = useMutation({
    ...cancelSubscriptionMutation(),
    onSuccess: async () => {
      showToast({
        title: t("subscription.toast.success"),
        description: t("subscription.cancel.done"),
      })
      setAsking(false)
      await cache.invalidateQueries({ queryKey: getSubscriptionQueryKey() })
    },
    onError: (error) => refused(error, failed),
  })
  const open = (stays: boolean) => {
    cancel.reset()
    setAsking(stays)
  }
  const date = subscription.endDate ? formatDate(subscription.endDate) : ""

  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => open(true)}>
        {t("subscription.cancel.action")}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={open}
        title={t("subscription.cancel.title")}
        description={t(
          subscription.renews ? "subscription.cancel.renewsText" : "subscription.cancel.text",
          { date },
        )}
        keep={t("subscription.cancel.keep")}
        confirm={t("subscription.cancel.action")}
        onConfirm={() => cancel.mutate({})}
        loading={cancel.isPending}
      >
        {cancel.error && <Alert>{problemSentence(t, cancel.error, failed)}</Alert>}
      </ConfirmDialog>
    </>
  )
}

function Resume({ subscription }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const cache = useQueryClient()
  const refused = useRefusal()
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
    onError: (error) => refused(error, failed),
  })
  const date = subscription.endDate ? formatDate(subscription.endDate) : ""

  return (
    <>
      {resume.error && <Refused>{problemSentence(t, resume.error, failed)}</Refused>}
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

function KeepLimit({ limit }: { limit: number }) {
  const { t } = useTranslation()
  const cache = useQueryClient()
  const refused = useRefusal()
  const failed = t("subscription.keepLimit.failed")
  const keep = useMutation({
    ...changeLimitMutation(),
    onSuccess: ({ subscription }) => {
      cache.setQueryData(getSubscriptionQueryKey(), subscription)
      showToast({
        title: t("subscription.toast.success"),
        description: t("subscription.keepLimit.done"),
      })
    },
    onError: (error) => refused(error, failed),
  })

  return (
    <>
      {keep.error && <Refused>{problemSentence(t, keep.error, failed)}</Refused>}
      <Button
        variant="secondary"
        size="sm"
        loading={keep.isPending}
        onClick={() => keep.mutate({ body: { driverLimit: limit } })}
      >
        {t("subscription.keepLimit.action")}
      </Button>
    </>
  )
}

function Refused({ children }: { children: string }) {
  return (
    <div className="basis-full">
      <Alert>{children}</Alert>
    </div>
  )
}
