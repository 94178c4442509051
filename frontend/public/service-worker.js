/**
 * The service worker of the panel: a page of ours while there is no network, and push messages.
 *
 * It stores that page alone. The panel itself always comes from the network, so that no user stays
 * on an old release, and no answer of the API is stored.
 */

const offlinePage = "/offline.html"
const offlineFiles = [offlinePage, "/offline.css"]
// Ends with the hash of these files, so that another page is another worker, which stores it anew.
const offlineCache = "offline-6e06abd3"
// Written by the panel (src/lib/last-state.ts): when its data was current.
const stateCache = "last-state"
const stateKey = "/last-state"

self.addEventListener("install", (event) => {
  event.waitUntil(install())
})

self.addEventListener("activate", (event) => {
  event.waitUntil(activate())
})

self.addEventListener("fetch", (event) => {
  const { request } = event
  if (request.mode === "navigate") event.respondWith(openPage(event))
  else if (isOfflineFile(request.url)) event.respondWith(fetchOrStored(request))
})

self.addEventListener("push", (event) => {
  event.waitUntil(showMessage(readMessage(event.data)))
})

self.addEventListener("notificationclick", (event) => {
  event.notification.close()
  event.waitUntil(openPath(event.notification.data.path))
})

async function install() {
  const cache = await caches.open(offlineCache)
  await cache.addAll(offlineFiles.map((path) => new Request(path, { cache: "reload" })))
  await self.skipWaiting()
}

async function activate() {
  const names = await caches.keys()
  const outdated = names.filter((name) => name.startsWith("offline-") && name !== offlineCache)
  await Promise.all(outdated.map((name) => caches.delete(name)))
  // The page is requested while this worker still starts.
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

async function openPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    return createOfflinePage()
  }
}

async function createOfflinePage() {
  const stored = await caches.match(offlinePage)
  if (!stored) return Response.error()
  const html = (await stored.text())
    .replace("<!-- last-state:pl -->", await describeState("pl", "Dane w panelu są z: "))
    .replace("<!-- last-state:en -->", await describeState("en", "The panel's data is from: "))
  return new Response(html, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": stored.headers.get("Content-Security-Policy") ?? "",
    },
  })
}

async function describeState(language, label) {
  const stored = await caches.match(stateKey, { cacheName: stateCache })
  const time = Number(await stored?.text())
  if (!time) return ""
  const format = new Intl.DateTimeFormat(language === "pl" ? "pl-PL" : "en-GB", {
    dateStyle: "short",
    timeStyle: "short",
    timeZone: "Europe/Warsaw",
  })
  return `<p>${label}<time>${format.format(time)}</time></p>`
}

async function fetchOrStored(request) {
  try {
    return await fetch(request)
  } catch {
    return (await caches.match(new URL(request.url).pathname)) ?? Response.error()
  }
}

function isOfflineFile(address) {
  const { origin, pathname } = new URL(address)
  return origin === self.location.origin && offlineFiles.includes(pathname)
}

/** Browsers demand that something is shown, whatever has come. */
function readMessage(data) {
  try {
    const { title, path, tag } = data.json()
    if (typeof title === "string" && title && isPanelPath(path)) return { title, path, tag }
  } catch {
    // No JSON.
  }
  return { title: "Prawko", path: "/panel/notifications", tag: "" }
}

function isPanelPath(path) {
  if (typeof path !== "string" || !/^\/panel(\/|$)/.test(path)) return false
  return new URL(path, self.location.origin).pathname === path
}

function showMessage({ title, path, tag }) {
  return self.registration.showNotification(title, {
    tag,
    icon: "/icons/icon-192.png",
    data: { path },
  })
}

/** Brings the page to the front if it is open; else opens it, by the sign-in where one is due. */
async function openPath(path) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true })
  const open = windows.find(({ url }) => new URL(url).pathname === path)
  if (open) return open.focus()
  return self.clients.openWindow(`/auth/login?next=${encodeURIComponent(path)}`)
}
