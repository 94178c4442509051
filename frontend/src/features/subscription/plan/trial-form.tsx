import { valibotResolver } from "@hookform/resolvers/valibot"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useForm, useWatch } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { getSubscriptionQueryKey, startTrialMutation } from "~/api/@tanstack/react-query.gen"
import { type TaxIdFields, vTaxId } from "~/features/subscription/tax-id"
import { TaxIdField } from "~/features/subscription/tax-id-field"
import { useFormDraft } from "~/hooks/use-draft"
import { refetchQueries } from "~/lib/cached-queries"
import { fieldErrors } from "~/lib/error-messages"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"

/** Starts the free trial of seven days, which a business gets once. */
export function TrialForm() {
  const { t } = useTranslation()
  const cache = useQueryClient()
  const form = useForm<TaxIdFields>({
    resolver: valibotResolver(vTaxId),
    defaultValues: { taxId: "" },
  })
  useFormDraft("trial", form)
  const taxId = useWatch({ control: form.control, name: "taxId" })

  const startTrial = useMutation({
    ...startTrialMutation(),
    meta: { done: t("subscription.trial.started"), failed: t("subscription.trial.failed") },
    onSuccess: (subscription) => {
      cache.setQueryData(getSubscriptionQueryKey(), subscription)
      void refetchQueries(cache, "drivers")
    },
    onError: (error) => {
      if (fieldErrors(error).taxId) form.setFocus("taxId")
    },
  })

  const submit = form.handleSubmit((trial) => startTrial.mutate({ body: trial }))
  const taxIdError = fieldErrors(startTrial.error).taxId

  return (
    <form
      onSubmit={submit}
      aria-label={t("subscription.trial.title")}
      noValidate
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
            error={form.formState.errors.taxId ? t("subscription.trial.taxId.format") : taxIdError}
            hint={t("subscription.trial.taxId.hint")}
            taxId={taxId}
            onPasteTaxId={(pasted) => form.setValue("taxId", pasted, { shouldDirty: true })}
            {...form.register("taxId")}
          />
        </div>
        <Button type="submit" loading={startTrial.isPending} className="@lg:mt-8">
          {t("subscription.trial.start")}
        </Button>
      </div>
      {!taxIdError && (
        <ErrorAlert error={startTrial.error} fallback={t("subscription.trial.failed")} />
      )}
    </form>
  )
}
