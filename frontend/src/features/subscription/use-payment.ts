import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { listPaymentMethodsOptions } from "~/api/@tanstack/react-query.gen"
import { isBlikCode, type Payment, savedMethod } from "./order-choice"
import type { Paying } from "./use-order"

/** How it is paid: what is offered, what is chosen of it, and the code that a bank's app shows. */
export function usePayment(saved: string | null) {
  const methods = useQuery(listPaymentMethodsOptions())
  const [picked, setPicked] = useState<Payment>()
  const [code, setCode] = useState("")

  const offered: Payment[] = (methods.data ?? []).map(({ method }) => method)
  if (saved !== null) offered.unshift(savedMethod)
  const chosen = picked && offered.includes(picked) ? picked : offered[0]
  const wantsCode = methods.data?.find(({ method }) => method === chosen)?.blikCode === true
  const paying: Paying = {
    ...(chosen === undefined || chosen === savedMethod ? {} : { method: chosen }),
    ...(wantsCode ? { blikCode: code } : {}),
  }

  return {
    methods,
    saved,
    chosen,
    choose: setPicked,
    code,
    setCode,
    paying,
    codeIsWrong: wantsCode && !isBlikCode(code),
    nothingOffered: methods.data?.length === 0,
  }
}

export type PaymentChoice = ReturnType<typeof usePayment>
