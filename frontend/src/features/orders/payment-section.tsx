import type { Control } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { Alert } from "~/ui/alert"
import { QueryState } from "~/ui/query-state"
import type { OrderFields } from "./order-schema"
import { PaymentMethodField } from "./payment-method-field"
import type { PaymentMethods } from "./use-payment-methods"

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
