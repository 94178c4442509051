import { useSearchParams } from "react-router"
import { PaymentFailed } from "~/features/orders/payment-result"

export default function SubscriptionFailed() {
  return <PaymentFailed orderId={useSearchParams()[0].get("order")} />
}
