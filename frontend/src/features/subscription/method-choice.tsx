import { Banknote, CreditCard, Landmark, type LucideIcon, Smartphone } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { MethodOut } from "~/api/types.gen"
import { Field } from "~/ui/field"
import { type RadioCard, RadioCards } from "~/ui/radio-cards"
import { bareCode, type Payment, savedMethod } from "./order-choice"

const icons: Record<MethodOut["method"], LucideIcon> = {
  card: CreditCard,
  blik: Smartphone,
  przelewy24: Banknote,
  transfer: Landmark,
}

type MethodChoiceProps = {
  methods: readonly MethodOut[]
  /** The label of a card that may be charged at once. */
  saved: string | null
  chosen: Payment
  onChoose: (payment: Payment) => void
  code: string
  onCode: (code: string) => void
  codeId: string
  codeError: string | undefined
}

export function MethodChoice(props: MethodChoiceProps) {
  const { methods, saved, chosen, onChoose, code, onCode, codeId, codeError } = props
  const { t } = useTranslation()

  const hintOf = ({ method, blikCode }: MethodOut) =>
    method === "blik" && blikCode
      ? t("subscription.order.method.blikCodeHint")
      : t(`subscription.order.method.${method}Hint`)
  const afterwards = ({ method, renews }: MethodOut) => {
    if (!renews) return t("subscription.order.method.once")
    return t(
      method === "card"
        ? "subscription.order.method.renews"
        : "subscription.order.method.renewsBlik",
    )
  }

  const offered = methods.map(
    (one): RadioCard<Payment> => ({
      value: one.method,
      title: t(`subscription.order.method.${one.method}`),
      hint: hintOf(one),
      icon: icons[one.method],
      more: (
        <div className="flex flex-col gap-3">
          {one.blikCode && (
            <div className="max-w-56">
              <Field
                id={codeId}
                label={t("subscription.order.code.label")}
                hint={t("subscription.order.code.hint")}
                error={codeError}
                inputMode="numeric"
                autoComplete="one-time-code"
                className="serial text-lg!"
                value={code}
                onChange={({ target }) => onCode(bareCode(target.value))}
              />
            </div>
          )}
          <p className="text-sm text-ink-soft">{afterwards(one)}</p>
        </div>
      ),
    }),
  )
  const known: RadioCard<Payment> = {
    value: savedMethod,
    title: t("subscription.order.method.saved", { label: saved }),
    hint: t("subscription.order.method.savedHint"),
    icon: CreditCard,
  }

  return (
    <RadioCards
      legend={t("subscription.order.method.legend")}
      choices={saved === null ? offered : [known, ...offered]}
      chosen={chosen}
      onChoose={onChoose}
    />
  )
}
