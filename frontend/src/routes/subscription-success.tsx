import { useSearchParams } from "react-router"
import { PaidSomewhere, PaymentOutcome } from "~/features/subscription/payment-result"

export default function SubscriptionSuccess() {
  const order = useSearchParams()[0].get("order")
  return order ? <PaymentOutcome key={order} orderId={order} /> : <PaidSomewhere />
}
