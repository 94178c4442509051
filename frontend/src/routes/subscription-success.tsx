import { useSearchParams } from "react-router"
import { OrderPaymentResult, PaymentResultWithoutOrder } from "~/features/orders/payment-result"

export default function SubscriptionSuccess() {
  const order = useSearchParams()[0].get("order")
  return order ? <OrderPaymentResult key={order} orderId={order} /> : <PaymentResultWithoutOrder />
}
