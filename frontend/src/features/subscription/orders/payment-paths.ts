/** The screens that wait for an order's payment and report its result. */

export const successPath = (orderId: string) =>
  `/panel/subscription/success?order=${encodeURIComponent(orderId)}`

export const failedPath = (orderId: string) =>
  `/panel/subscription/failed?order=${encodeURIComponent(orderId)}`
