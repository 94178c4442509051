import { valibotResolver } from "@hookform/resolvers/valibot"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { useForm, useWatch } from "react-hook-form"
import { useTranslation } from "react-i18next"
import {
  getSubscriptionQueryKey,
  getUserQueryKey,
  setBillingDetailsMutation,
} from "~/api/@tanstack/react-query.gen"
import type { CompanyDetails } from "~/api/types.gen"
import { fieldProblems, problemSentence } from "~/shared/problem"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { Field } from "~/ui/field"
import { showToast } from "~/ui/toasts"
import {
  type BillingField,
  type BillingFields,
  billingFields,
  dashedPostalCode,
  vBilling,
} from "./billing-rules"
import { bareTaxId, hasWrongChecksum } from "./tax-id"
import { WrongChecksum } from "./tax-id-hint"

type BillingFormProps = {
  details: CompanyDetails
  /** Begin with the focus in the first field. */
  focused: boolean
  onUnsaved: (unsaved: boolean) => void
  onSaved: () => void
  /** There are complete details to go back to. */
  onCancel?: () => void
}

export function BillingForm({ details, focused, onUnsaved, onSaved, onCancel }: BillingFormProps) {
  const { t } = useTranslation()
  const cache = useQueryClient()
  const form = useForm<BillingFields>({
    resolver: valibotResolver(vBilling),
    defaultValues: details,
  })
  const { errors, isDirty } = form.formState
  const taxId = useWatch({ control: form.control, name: "taxId" })

  // biome-ignore lint/correctness/useExhaustiveDependencies: where the focus begins
  useEffect(() => {
    if (focused) form.setFocus("companyName")
  }, [])
  useEffect(() => {
    onUnsaved(isDirty)
    return () => onUnsaved(false)
  }, [isDirty, onUnsaved])

  const save = useMutation({
    ...setBillingDetailsMutation(),
    onSuccess: async () => {
      showToast({
        title: t("subscription.toast.success"),
        description: t("subscription.billing.updated"),
      })
      void cache.invalidateQueries({ queryKey: getUserQueryKey() })
      await cache.invalidateQueries({ queryKey: getSubscriptionQueryKey() })
      onSaved()
    },
    onError: (error) => {
      showToast({
        tone: "error",
        title: t("subscription.toast.error"),
        description: problemSentence(t, error, t("subscription.billing.failed")),
      })
      const refused = billingFields.find((field) => fieldProblems(error)[field])
      if (refused) form.setFocus(refused)
    },
  })
  const refused = fieldProblems(save.error)
  const submit = form.handleSubmit((body) => save.mutate({ body }))

  const sentences: Record<BillingField, string> = {
    companyName: t("subscription.billing.companyName.required"),
    taxId: t("subscription.billing.taxId.format"),
    street: t("subscription.billing.street.format"),
    postalCode: t("subscription.billing.postalCode.format"),
    city: t("subscription.billing.city.required"),
  }
  const props = (field: BillingField) => ({
    label: t(`subscription.billing.${field}.label`),
    error: errors[field] ? sentences[field] : refused[field],
    ...form.register(field),
  })

  return (
    <form
      onSubmit={submit}
      aria-label={t("subscription.billing.title")}
      noValidate
      className="@container flex flex-col gap-5"
    >
      <div className="grid items-start gap-5 @lg:grid-cols-6">
        <div className="@lg:col-span-4">
          <Field autoComplete="organization" maxLength={200} {...props("companyName")} />
        </div>
        <div className="@lg:col-span-2">
          <Field
            inputMode="numeric"
            autoComplete="off"
            maxLength={10}
            className="figures tracking-wide"
            hint={hasWrongChecksum(taxId) && <WrongChecksum />}
            {...props("taxId")}
            onPaste={(event) => {
              event.preventDefault()
              const pasted = bareTaxId(event.clipboardData.getData("text")).slice(0, 10)
              form.setValue("taxId", pasted, { shouldDirty: true })
            }}
          />
        </div>
        <div className="@lg:col-span-6">
          <Field autoComplete="street-address" maxLength={200} {...props("street")} />
        </div>
        <div className="@lg:col-span-2">
          <Field
            autoComplete="postal-code"
            inputMode="text"
            maxLength={6}
            placeholder="00-000"
            className="figures"
            {...props("postalCode")}
            onBlur={({ target }) => {
              form.setValue("postalCode", dashedPostalCode(target.value), { shouldDirty: true })
            }}
          />
        </div>
        <div className="@lg:col-span-4">
          <Field autoComplete="address-level2" maxLength={200} {...props("city")} />
        </div>
      </div>
      {save.error && !billingFields.some((field) => refused[field]) && (
        <Alert>{problemSentence(t, save.error, t("subscription.billing.failed"))}</Alert>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={save.isPending}>
          {t("subscription.billing.save")}
        </Button>
        {onCancel && (
          <Button variant="secondary" onClick={onCancel}>
            {t("common.cancel")}
          </Button>
        )}
      </div>
    </form>
  )
}
