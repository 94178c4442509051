/** Turns a User-Agent header into a device name that users recognise. */

type Device = { name: string | null; mobile: boolean }

// The first match wins: most browsers also claim to be the ones further down.
const browsers: [string, RegExp][] = [
  ["Edge", /\bEdg(A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bVersion\/.*\bSafari\//],
]

const operatingSystems: [string, RegExp][] = [
  ["Android", /\bAndroid\b/],
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
]

const findName = (patterns: [string, RegExp][], userAgent: string) =>
  patterns.find(([, pattern]) => pattern.test(userAgent))?.[0]

/** "Firefox, Windows" from a User-Agent header; no name if nothing in it is known. */
export function parseDevice(userAgent: string): Device {
  const name = [findName(browsers, userAgent), findName(operatingSystems, userAgent)]
    .filter(Boolean)
    .join(", ")
  return { name: name || null, mobile: /\b(Android|iPhone|iPad|Mobile)\b/.test(userAgent) }
}
