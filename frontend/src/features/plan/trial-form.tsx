import { useMutation } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import { getSubscriptionQueryKey, startTrialMutation } from "~/api/@tanstack/react-query.gen"
import { TaxIdField, vTaxId } from "~/entities/subscription/tax-id-field"
import { refetchQueries } from "~/lib/cached-queries"
import { queryClient } from "~/lib/query-client"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { Form, useServerForm } from "~/ui/server-form"

/** Starts the free trial of seven days, which a business gets once. */
export function TrialForm() {
  const { t } = useTranslation()
  const startTrial = useMutation({
    ...startTrialMutation(),
    meta: { done: t("subscription.trial.started"), failed: t("subscription.trial.failed") },
    onSuccess: (subscription) => {
      queryClient.setQueryData(getSubscriptionQueryKey(), subscription)
      void refetchQueries("drivers")
    },
  })
  const { form, submit, field, error } = useServerForm({
    schema: vTaxId,
    defaultValues: { taxId: "" },
    call: startTrial,
    send: (body) => startTrial.mutateAsync({ body }),
    draft: "trial",
  })

  return (
    <Form
      submit={submit}
      label={t("subscription.trial.title")}
      className="@container flex flex-col gap-4"
    >
      <div>
        <h2 className="text-lg">{t("subscription.trial.title")}</h2>
        <p className="mt-1 text-sm text-ink-soft">{t("subscription.trial.lead")}</p>
      </div>
      <div className="flex flex-col items-start gap-4 @lg:flex-row">
        <div className="w-full @lg:max-w-xs">
          <TaxIdField
            label={t("subscription.trial.taxId.label")}
            hint={t("subscription.trial.taxId.hint")}
            taxId={form.watch("taxId")}
            {...field("taxId", t("subscription.trial.taxId.format"))}
          />
        </div>
        <Button type="submit" loading={startTrial.isPending} className="@lg:mt-8">
          {t("subscription.trial.start")}
        </Button>
      </div>
      <ErrorAlert error={error} fallback={t("subscription.trial.failed")} />
    </Form>
  )
}
