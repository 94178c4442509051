import { valibotResolver } from "@hookform/resolvers/valibot"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useForm, useWatch } from "react-hook-form"
import { useTranslation } from "react-i18next"
import {
  getCheckSummaryQueryKey,
  getSubscriptionQueryKey,
  listDriversQueryKey,
  startTrialMutation,
} from "~/api/@tanstack/react-query.gen"
import { fieldProblems, problemSentence } from "~/shared/problem"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { Field } from "~/ui/field"
import { showToast } from "~/ui/toasts"
import { bareTaxId, hasWrongChecksum, type TaxIdForm, vTaxId } from "./tax-id"
import { WrongChecksum } from "./tax-id-hint"

/** One field and a button: seven days free, once per business. */
export function StartTrial() {
  const { t } = useTranslation()
  const cache = useQueryClient()
  const form = useForm<TaxIdForm>({
    resolver: valibotResolver(vTaxId),
    defaultValues: { taxId: "" },
  })
  const taxId = useWatch({ control: form.control, name: "taxId" })

  const start = useMutation({
    ...startTrialMutation(),
    onSuccess: (subscription) => {
      cache.setQueryData(getSubscriptionQueryKey(), subscription)
      void cache.invalidateQueries({ queryKey: listDriversQueryKey() })
      void cache.invalidateQueries({ queryKey: getCheckSummaryQueryKey() })
      showToast({ title: t("common.success"), description: t("subscription.trial.started") })
    },
    onError: (error) => {
      showToast({
        tone: "error",
        title: t("common.error"),
        description: problemSentence(t, error, t("subscription.trial.failed")),
      })
      if (fieldProblems(error).taxId) form.setFocus("taxId")
    },
  })

  const submit = form.handleSubmit((trial) => start.mutate({ body: trial }))
  const refused = fieldProblems(start.error).taxId

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
          <Field
            label={t("subscription.trial.taxId.label")}
            inputMode="numeric"
            autoComplete="off"
            maxLength={10}
            className="figures tracking-wide"
            error={form.formState.errors.taxId ? t("subscription.trial.taxId.format") : refused}
            hint={hasWrongChecksum(taxId) ? <WrongChecksum /> : t("subscription.trial.taxId.hint")}
            {...form.register("taxId")}
            onPaste={(event) => {
              event.preventDefault()
              const pasted = bareTaxId(event.clipboardData.getData("text")).slice(0, 10)
              form.setValue("taxId", pasted, { shouldDirty: true })
            }}
          />
        </div>
        <Button type="submit" loading={start.isPending} className="@lg:mt-8">
          {t("subscription.trial.start")}
        </Button>
      </div>
      {start.error && !refused && (
        <Alert>{problemSentence(t, start.error, t("subscription.trial.failed"))}</Alert>
      )}
    </form>
  )
}
