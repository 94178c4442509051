/** What a browser calls itself, in words people know. */

export type Device = { name: string | null; mobile: boolean }

// The first that fits wins: most browsers also claim to be the ones further down.
const browsers: [string, RegExp][] = [
  ["Edge", /\bEdg(A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bVersion\/.*\bSafari\//],
]

const systems: [string, RegExp][] = [
  ["Android", /\bAndroid\b/],
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
]

const first = (known: [string, RegExp][], agent: string) =>
  known.find(([, pattern]) => pattern.test(agent))?.[0]

/** "Firefox, Windows" from a User-Agent header; no name when it says nothing known. */
export function deviceOf(agent: string): Device {
  const name = [first(browsers, agent), first(systems, agent)].filter(Boolean).join(", ")
  return { name: name || null, mobile: /\b(Android|iPhone|iPad|Mobile)\b/.test(agent) }
}
