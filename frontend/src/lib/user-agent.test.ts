import { expect, it } from "vitest"
import { parseDevice } from "./user-agent"

const kit = "AppleWebKit/537.36 (KHTML, like Gecko)"

it.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${kit} Chrome/142.0 Safari/537.36`,
    "Chrome, Windows",
    false,
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${kit} Chrome/142.0 Safari/537.36 Edg/142.0`,
    "Edge, Windows",
    false,
  ],
  [
    "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
    "Firefox, Linux",
    false,
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
    "Safari, macOS",
    false,
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
    "Safari, iPhone",
    true,
  ],
  [
    `Mozilla/5.0 (Linux; Android 16; SM-S931B) ${kit} SamsungBrowser/29.0 Chrome/136.0 Mobile Safari/537.36`,
    "Samsung Internet, Android",
    true,
  ],
  ["curl/8.5.0", null, false],
  ["", null, false],
])("derives the device from the user agent: %s", (agent, name, mobile) => {
  expect(parseDevice(agent)).toEqual({ name, mobile })
})
