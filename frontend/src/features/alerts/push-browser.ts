/** The push subscription of this browser (W3C Push API). */

import { registerServiceWorker } from "~/lib/service-worker"

type PushKeys = { endpoint: string; p256dh: string; auth: string }

/** Where the person refused notifications, only the browser's own settings allow them again. */
export class NotificationsBlockedError extends Error {}

export function isPushSupported(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window
}

/** This browser's subscription, also one of another user; null for none. */
export async function findSubscription(): Promise<PushSubscription | null> {
  if (!isPushSupported()) return null
  const registration = await navigator.serviceWorker.getRegistration("/panel")
  return (await registration?.pushManager?.getSubscription()) ?? null
}

/**
 * Makes a new subscription. It ends the subscription of another user of this browser, whose
 * messages must no longer be shown here.
 */
export async function createSubscription(serverKey: string): Promise<PushKeys> {
  if ((await Notification.requestPermission()) !== "granted") throw new NotificationsBlockedError()
  if (!(await registerServiceWorker())) throw new Error("no service worker")
  const { pushManager } = await navigator.serviceWorker.ready
  await (await pushManager.getSubscription())?.unsubscribe()
  const made = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: serverKey,
  })
  const { keys } = made.toJSON()
  return { endpoint: made.endpoint, p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" }
}

export async function endSubscription(): Promise<void> {
  await (await findSubscription())?.unsubscribe()
}
