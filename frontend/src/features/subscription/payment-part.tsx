import { useTranslation } from "react-i18next"
import { Alert } from "~/ui/alert"
import { Failure } from "~/ui/failure"
import { Spinner } from "~/ui/spinner"
import { MethodChoice } from "./method-choice"
import type { PaymentChoice } from "./use-payment"

type PaymentPartProps = {
  payment: PaymentChoice
  codeId: string
  codeError: string | undefined
}

/** The methods, or what became of the question for them. */
export function PaymentPart({ payment, codeId, codeError }: PaymentPartProps) {
  const { t } = useTranslation()
  const { methods, chosen } = payment

  if (methods.isPending) return <Spinner label={t("subscription.order.method.loading")} />
  if (methods.isError) {
    return (
      <Failure
        title={t("subscription.order.method.loadFailed")}
        error={methods.error}
        onRetry={() => void methods.refetch()}
        retrying={methods.isFetching}
      />
    )
  }
  if (!chosen) return <Alert tone="caution">{t("subscription.order.method.none")}</Alert>
  return (
    <MethodChoice
      methods={methods.data}
      saved={payment.saved}
      chosen={chosen}
      onChoose={payment.choose}
      code={payment.code}
      onCode={payment.setCode}
      codeId={codeId}
      codeError={codeError}
    />
  )
}
