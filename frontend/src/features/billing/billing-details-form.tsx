import { useMutation } from "@tanstack/react-query"
import { type RefObject, useEffect, useImperativeHandle } from "react"
import { useTranslation } from "react-i18next"
import * as v from "valibot"
import { setBillingDetailsMutation } from "~/api/@tanstack/react-query.gen"
import type { CompanyDetails } from "~/api/types.gen"
import { vBillingDetailsIn } from "~/api/valibot.gen"
import { TaxIdField, vTaxId } from "~/entities/subscription/tax-id-field"
import { orderOutcomes } from "~/entities/subscription/use-subscription"
import { refetchQueries } from "~/lib/cached-queries"
import { normaliseTyped, vTyped } from "~/lib/letters"
import { Button } from "~/ui/button"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
import { Form, useServerForm } from "~/ui/server-form"

const rules = vBillingDetailsIn.entries

/**
 * The server's own rules, with what its schema cannot express: names that are not blank, and a
 * street followed by a number. What else the server finds it reports beside the field.
 */
const vBillingDetailsForm = v.object({
  companyName: v.pipe(vTyped, v.minLength(1)),
  ...vTaxId.entries,
  street: v.pipe(vTyped, v.regex(/\p{L}.*\s[0-9]/u)),
  postalCode: rules.postalCode,
  city: v.pipe(vTyped, v.minLength(1)),
})

type BillingDetailsField = keyof typeof vBillingDetailsForm.entries

/** "00 950" → "00950", "00 – 950" → "00-950". */
function cleanPostalCode(text: string): string {
  return normaliseTyped(text).replace(/\s/g, "")
}

/** "00950" → "00-950". */
function formatPostalCode(text: string): string {
  return cleanPostalCode(text).replace(/^([0-9]{2})([0-9]{3})$/, "$1-$2")
}

/** Saves the typed details and returns them; null where they cannot be saved as they are. */
export type SaverRef = RefObject<(() => Promise<CompanyDetails | null>) | null>

type BillingDetailsFormProps = {
  details: CompanyDetails
  /** Focus the first field on mount. */
  autoFocus: boolean
  onDirtyChange: (isDirty: boolean) => void
  onSaved: () => void
  /** Where an order saves what is typed. */
  saver: SaverRef | undefined
  /** Only given when there are complete details to return to. */
  onCancel?: () => void
}

export function BillingDetailsForm({
  details,
  autoFocus,
  onDirtyChange,
  onSaved,
  saver,
  onCancel,
}: BillingDetailsFormProps) {
  const { t } = useTranslation()
  const save = useMutation({
    ...setBillingDetailsMutation(),
    meta: orderOutcomes(t, {
      done: t("subscription.billing.updated"),
      failed: t("subscription.billing.failed"),
    }),
    onSuccess: async () => {
      void refetchQueries("user")
      await refetchQueries("subscription")
    },
  })
  const { form, submit, field, error } = useServerForm({
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

  useImperativeHandle(saver, () => async () => {
    let saved: CompanyDetails | null = null
    await form.handleSubmit(async (body) => {
      await save.mutateAsync({ body }).then(
        () => {
          saved = body
          onSaved()
        },
        () => undefined, // shown by the form
      )
    })()
    return saved
  })

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
          <TaxIdField taxId={form.watch("taxId")} {...fieldProps("taxId")} />
        </div>
        <div className="@lg:col-span-6">
          <Field autoComplete="street-address" maxLength={200} {...fieldProps("street")} />
        </div>
        <div className="@lg:col-span-2">
          <Field
            autoComplete="postal-code"
            inputMode="text"
            maxLength={6}
            clean={cleanPostalCode}
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
