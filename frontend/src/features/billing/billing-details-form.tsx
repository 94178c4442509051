import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { useTranslation } from "react-i18next"
import { setBillingDetailsMutation } from "~/api/@tanstack/react-query.gen"
import type { CompanyDetails } from "~/api/types.gen"
import { orderOutcomes } from "~/entities/subscription/order-outcomes"
import { normaliseTaxId } from "~/entities/subscription/tax-id"
import { TaxIdField } from "~/entities/subscription/tax-id-field"
import { refetchQueries } from "~/lib/cached-queries"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
import { Form, useServerForm } from "~/ui/server-form"
import {
  type BillingDetailsField,
  formatPostalCode,
  vBillingDetailsForm,
} from "./billing-details-schema"

type BillingDetailsFormProps = {
  details: CompanyDetails
  /** Focus the first field on mount. */
  autoFocus: boolean
  onDirtyChange: (isDirty: boolean) => void
  onSaved: () => void
  /** Only given when there are complete details to return to. */
  onCancel?: () => void
}

export function BillingDetailsForm({
  details,
  autoFocus,
  onDirtyChange,
  onSaved,
  onCancel,
}: BillingDetailsFormProps) {
  const { t } = useTranslation()
  const cache = useQueryClient()
  const save = useMutation({
    ...setBillingDetailsMutation(),
    meta: orderOutcomes(t, {
      done: t("subscription.billing.updated"),
      failed: t("subscription.billing.failed"),
    }),
    onSuccess: async () => {
      void refetchQueries(cache, "user")
      await refetchQueries(cache, "subscription")
    },
  })
  const { form, submit, field, paste, error } = useServerForm({
    schema: vBillingDetailsForm,
    defaultValues: details,
    call: save,
    send: (body) => save.mutateAsync({ body }),
    onSent: onSaved,
    draft: "billing-details",
    autoFocus,
  })
  const { isDirty } = form.formState
  useEffect(() => {
    onDirtyChange(isDirty)
    return () => onDirtyChange(false)
  }, [isDirty, onDirtyChange])

  const formatErrors: Record<BillingDetailsField, string> = {
    companyName: t("subscription.billing.companyName.required"),
    taxId: t("subscription.billing.taxId.format"),
    street: t("subscription.billing.street.format"),
    postalCode: t("subscription.billing.postalCode.format"),
    city: t("subscription.billing.city.required"),
  }
  const fieldProps = (name: BillingDetailsField) => ({
    label: t(`subscription.billing.${name}.label`),
    ...field(name, formatErrors[name]),
  })

  return (
    <Form
      submit={submit}
      label={t("subscription.billing.title")}
      className="@container flex flex-col gap-5"
    >
      <div className="grid items-start gap-5 @lg:grid-cols-6">
        <div className="@lg:col-span-4">
          <Field autoComplete="organization" maxLength={200} {...fieldProps("companyName")} />
        </div>
        <div className="@lg:col-span-2">
          <TaxIdField
            taxId={form.watch("taxId")}
            onPaste={paste("taxId", normaliseTaxId)}
            {...fieldProps("taxId")}
          />
        </div>
        <div className="@lg:col-span-6">
          <Field autoComplete="street-address" maxLength={200} {...fieldProps("street")} />
        </div>
        <div className="@lg:col-span-2">
          <Field
            autoComplete="postal-code"
            inputMode="text"
            maxLength={6}
            placeholder="00-000"
            className="figures"
            {...fieldProps("postalCode")}
            onBlur={({ target }) => {
              form.setValue("postalCode", formatPostalCode(target.value), { shouldDirty: true })
            }}
          />
        </div>
        <div className="@lg:col-span-4">
          <Field autoComplete="address-level2" maxLength={200} {...fieldProps("city")} />
        </div>
      </div>
      <ErrorAlert error={error} fallback={t("subscription.billing.failed")} />
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
    </Form>
  )
}
