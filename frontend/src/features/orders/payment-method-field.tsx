import { Banknote, CreditCard, Landmark, type LucideIcon, Smartphone } from "lucide-react"
import { type Control, useController } from "react-hook-form"
import { useTranslation } from "react-i18next"
import type { MethodOut } from "~/api/types.gen"
import { Alert } from "~/ui/alert"
import { Field } from "~/ui/field"
import { QueryState } from "~/ui/query-state"
import { type RadioCard, RadioCards } from "~/ui/radio-cards"
import {
  normaliseBlikCode,
  type OrderFields,
  type PaymentOption,
  savedMethod,
} from "./order-schema"
import type { PaymentMethods } from "./use-payment-methods"

const icons: Record<MethodOut["method"], LucideIcon> = {
  card: CreditCard,
  blik: Smartphone,
  przelewy24: Banknote,
  transfer: Landmark,
}

type PaymentMethodFieldProps = {
  control: Control<OrderFields>
  methods: readonly MethodOut[]
  /** The label of the stored mandate, where this order can be charged to it. */
  savedLabel: string | null
  selected: PaymentOption
  onMethodChange: () => void
  codeError: string | undefined
}

function PaymentMethodField(props: PaymentMethodFieldProps) {
  const { control, methods, savedLabel, selected, onMethodChange, codeError } = props
  const { t } = useTranslation()
  const { field } = useController({ control, name: "method" })

  const hintFor = ({ method, blikCode }: MethodOut) =>
    method === "blik" && blikCode
      ? t("subscription.order.method.blikCodeHint")
      : t(`subscription.order.method.${method}Hint`)
  const renewalNote = ({ method, renews }: MethodOut) => {
    if (!renews) return t("subscription.order.method.once")
    return t(
      method === "card"
        ? "subscription.order.method.renews"
        : "subscription.order.method.renewsBlik",
    )
  }

  const offered = methods.map(
    (method): RadioCard<PaymentOption> => ({
      value: method.method,
      title: t(`subscription.order.method.${method.method}`),
      hint: hintFor(method),
      icon: icons[method.method],
      details: (
        <div className="flex flex-col gap-3">
          {method.blikCode && <BlikCodeField control={control} error={codeError} />}
          <p className="text-sm text-ink-soft">{renewalNote(method)}</p>
        </div>
      ),
    }),
  )
  const saved: RadioCard<PaymentOption> = {
    value: savedMethod,
    title: t("subscription.order.method.saved", { label: savedLabel }),
    hint: t("subscription.order.method.savedHint"),
    icon: CreditCard,
  }

  return (
    <RadioCards
      legend={t("subscription.order.method.legend")}
      options={savedLabel === null ? offered : [saved, ...offered]}
      selected={selected}
      onSelect={(method) => {
        field.onChange(method)
        onMethodChange()
      }}
    />
  )
}

type BlikCodeFieldProps = { control: Control<OrderFields>; error: string | undefined }

function BlikCodeField({ control, error }: BlikCodeFieldProps) {
  const { t } = useTranslation()
  const { field } = useController({ control, name: "blikCode" })
  return (
    <div className="max-w-56">
      <Field
        {...field}
        label={t("subscription.order.code.label")}
        hint={t("subscription.order.code.hint")}
        error={error}
        inputMode="numeric"
        autoComplete="one-time-code"
        className="serial text-lg!"
        onChange={({ target }) => field.onChange(normaliseBlikCode(target.value))}
      />
    </div>
  )
}

type PaymentSectionProps = {
  control: Control<OrderFields>
  payment: PaymentMethods
  onMethodChange: () => void
  codeError: string | undefined
}

/** The payment methods once they are loaded, or a notice that there are none. */
export function PaymentSection(props: PaymentSectionProps) {
  const { control, payment, onMethodChange, codeError } = props
  const { t } = useTranslation()
  const { query, selected, savedLabel } = payment

  return (
    <QueryState
      query={query}
      loadingLabel={t("subscription.order.method.loading")}
      errorTitle={t("subscription.order.method.loadFailed")}
    >
      {(methods) =>
        selected ? (
          <PaymentMethodField
            control={control}
            methods={methods}
            savedLabel={savedLabel}
            selected={selected}
            onMethodChange={onMethodChange}
            codeError={codeError}
          />
        ) : (
          <Alert tone="caution">{t("subscription.order.method.none")}</Alert>
        )
      }
    </QueryState>
  )
}
