import { useQuery } from "@tanstack/react-query"
import { type Control, useWatch } from "react-hook-form"
import { listPaymentMethodsOptions } from "~/api/@tanstack/react-query.gen"
import { type OrderFields, type PaymentOption, savedMethod } from "./order-schema"
import type { PaymentRequest } from "./use-place-order"

/** The payment options on offer and the selected one: the user's choice, or else the first. */
export function usePaymentMethods(control: Control<OrderFields>, savedLabel: string | null) {
  const query = useQuery(listPaymentMethodsOptions())
  const picked = useWatch({ control, name: "method" })

  const options: PaymentOption[] = (query.data ?? []).map(({ method }) => method)
  if (savedLabel !== null) options.unshift(savedMethod)

  // A choice may no longer be offered: the saved method is for some orders only.
  const effectiveOption = (method: PaymentOption | undefined) =>
    method && options.includes(method) ? method : options[0]
  const requiresCode = (method: PaymentOption | undefined) => {
    const selected = effectiveOption(method)
    return query.data?.find((one) => one.method === selected)?.blikCode === true
  }

  return {
    query,
    savedLabel,
    selected: effectiveOption(picked),
    requiresCode,
    /** The payment part of an order; the saved method is charged when none is named. */
    toRequest: ({ method, blikCode }: Pick<OrderFields, "method" | "blikCode">): PaymentRequest => {
      const selected = effectiveOption(method)
      return {
        ...(selected === undefined || selected === savedMethod ? {} : { method: selected }),
        ...(requiresCode(method) ? { blikCode } : {}),
      }
    },
    noneAvailable: query.data?.length === 0,
  }
}

export type PaymentMethods = ReturnType<typeof usePaymentMethods>
