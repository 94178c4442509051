/** The panel's service worker: public/service-worker.js. */

/** Registers it; null where the browser has none, or refuses it. */
export async function registerServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  if (!("serviceWorker" in navigator)) return null
  try {
    return await navigator.serviceWorker.register("/service-worker.js", {
      scope: "/panel",
      updateViaCache: "none",
    })
  } catch {
    return null // in a private window, for instance: the panel works all the same
  }
}
