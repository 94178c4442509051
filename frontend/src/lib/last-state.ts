/**
 * When the panel's data was current, for the page that the service worker shows without a network.
 * It is only a time, deleted with the session.
 */

const cacheName = "last-state" // as in public/service-worker.js
const key = "/last-state"

export async function storeLastStateTime(time: number): Promise<void> {
  try {
    const cache = await caches.open(cacheName)
    await cache.put(key, new Response(String(time)))
  } catch {
    // Without storage the page says no time.
  }
}

export async function clearLastStateTime(): Promise<void> {
  try {
    await caches.delete(cacheName)
  } catch {
    // Nothing was stored.
  }
}
