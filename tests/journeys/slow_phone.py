"""Loads pages as a phone with a slow connection does, and records what that took."""

from dataclasses import dataclass, field

from companies import CompanyClient
from playwright.sync_api import Browser, CDPSession, Page

# Slow 4G, in bytes a second and milliseconds, and a quarter of this machine's processor.
NETWORK = {
    "offline": False, "latency": 150,
    "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8,
}  # fmt: skip
CPU_SLOWDOWN = 4
PHONE = {"width": 390, "height": 844}
LOAD_MILLISECONDS = 60_000

# Resolves with the time at which the element is visible: the frame after the one that draws it.
WATCH = """
(selector) => {
  window.shownAt = new Promise((resolve) => {
    const look = () => {
      const element = document.querySelector(selector)
      if (element?.checkVisibility({ opacityProperty: true }))
        requestAnimationFrame(() => resolve(performance.now()))
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.largestPaintAt = entry.startTime
  }).observe({ type: "largest-contentful-paint", buffered: true })
}
"""
READ_TIMES = """
async () => {
  const shown = await window.shownAt
  const paint = () => performance.getEntriesByName("first-contentful-paint")[0]
  while (!paint()) await new Promise(requestAnimationFrame)
  return { shown, first: paint().startTime, largest: window.largestPaintAt }
}
"""


@dataclass
class SentRequest:
    """A request with the times of its start and end, in seconds of the browser's clock."""

    path: str
    kind: str
    started: float
    ended: float | None = None
    wire_bytes: int = 0


@dataclass
class PageLoad:
    """The cost of loading a page: milliseconds from the start, and the requests until it was shown.

    `first_paint` and `largest_paint` are the browser's (contentful) ones, `shown` is the time of
    the awaited element.
    """

    first_paint: float
    largest_paint: float
    shown: float
    requests: list[SentRequest] = field(default_factory=list)

    @property
    def scripts(self) -> list[SentRequest]:
        return [request for request in self.requests if request.kind == "Script"]

    @property
    def wire_bytes(self) -> int:
        return sum(request.wire_bytes for request in self.requests)

    @property
    def chain_length(self) -> int:
        """Most requests in a row, each sent after the one before had been answered."""
        lengths: list[tuple[float, int]] = []
        for request in sorted(self.requests, key=lambda one: one.started):
            before = [length for end, length in lengths if end <= request.started]
            lengths.append((request.ended or float("inf"), 1 + max(before, default=0)))
        return max(length for _, length in lengths)

    def __str__(self) -> str:
        return (
            f"first paint {self.first_paint / 1000:.2f} s, "
            f"largest {self.largest_paint / 1000:.2f} s, shown {self.shown / 1000:.2f} s; "
            f"{len(self.requests)} requests, {len(self.scripts)} scripts, "
            f"{self.wire_bytes / 1000:.0f} kB, a chain of {self.chain_length}"
        )


def load_page(
    chromium: Browser, url: str, awaited: str, company: CompanyClient | None = None
) -> PageLoad:
    """Load a page with an empty cache until the element of the selector `awaited` is visible."""
    context = chromium.new_context(viewport=PHONE, locale="pl-PL", is_mobile=True, has_touch=True)
    try:
        if company:
            company.sign_in_browser(context)
        page = context.new_page()
        devtools = context.new_cdp_session(page)
        requests = _record_requests(devtools)
        devtools.send("Network.emulateNetworkConditions", NETWORK)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
        page.add_init_script(f"({WATCH})({awaited!r})")
        return _load(page, url, requests)
    finally:
        context.close()


def _load(page: Page, url: str, requests: list[SentRequest]) -> PageLoad:
    page.goto(url, wait_until="commit", timeout=LOAD_MILLISECONDS)
    times = page.evaluate(READ_TIMES)
    return PageLoad(times["first"], times["largest"], times["shown"], list(requests))


def _record_requests(devtools: CDPSession) -> list[SentRequest]:
    """Record the requests of a page from now on, in the order of their start."""
    by_id: dict[str, SentRequest] = {}
    requests: list[SentRequest] = []

    def on_sent(event: dict) -> None:
        path = "/" + event["request"]["url"].split("/", 3)[3]
        request = SentRequest(path, event.get("type", "Other"), event["timestamp"])
        by_id[event["requestId"]] = request
        requests.append(request)

    def on_end(event: dict) -> None:
        request = by_id[event["requestId"]]
        request.ended = event["timestamp"]
        request.wire_bytes = int(event.get("encodedDataLength", 0))

    devtools.on("Network.requestWillBeSent", on_sent)
    devtools.on("Network.loadingFinished", on_end)
    devtools.on("Network.loadingFailed", on_end)
    devtools.send("Network.enable")
    return requests
