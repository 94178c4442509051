"""Browsers in front of the product, and what their consoles complain of.

A page is handed out again when the test before it has ended, as good as new: a browser that knows
the site loads it at half the cost.
"""

from collections import defaultdict

from companies import Company
from playwright.sync_api import Browser, ConsoleMessage, Page

HEIGHT = 900
# A refused script or style is an event of the page, and no console shows it on every browser.
TELL_REFUSALS = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`refused: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`))
"""
# At the product's own address, and without a script: nothing asks or moves on it.
REST = "/robots.txt"
FORGET = "localStorage.clear(); sessionStorage.clear()"


class Browsing:
    """Opens pages; keeps what they complained of."""

    def __init__(self, chromium: Browser, url: str, scripts: list[str]) -> None:
        self.chromium = chromium
        self.url = url
        self.scripts = scripts
        self.complaints: list[str] = []
        self._rested: dict[tuple[str, str], list[Page]] = defaultdict(list)
        self._shown: list[tuple[Page, list[Page] | None]] = []

    def open(
        self, *, company: Company | None = None, language: str = "pl-PL", width: int = 1280,
        zone: str = "Europe/Warsaw", scheme: str = "light", keep: bool = True,
    ) -> Page:  # fmt: skip
        """A Polish page unless told. One that is told something before its scripts run (another
        clock, a script of the test's) cannot be told to forget it: it is not to be kept.
        """
        rested = self._rested[language, zone] if keep else None
        page = rested.pop() if rested else self._new(language, zone)
        self._shown.append((page, rested))
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.emulate_media(color_scheme=scheme)
        if company:
            company.enter(page.context)
        return page

    def rest(self) -> list[str]:
        """End what the shown pages do and forget what they keep; what they complained of."""
        for page, rested in self._shown:
            if rested is None:
                page.context.close()
                continue
            page.goto(REST)
            page.evaluate(FORGET)
            page.mouse.move(0, 0)
            page.unroute_all()
            page.context.clear_cookies()
            rested.append(page)
        self._shown.clear()
        complaints, self.complaints = self.complaints, []
        return complaints

    def _new(self, language: str, zone: str) -> Page:
        context = self.chromium.new_context(
            base_url=self.url, locale=language, timezone_id=zone, reduced_motion="reduce"
        )
        context.set_default_timeout(10_000)
        for script in self.scripts:
            context.add_init_script(script)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._listen)
        return page

    def _listen(self, message: ConsoleMessage) -> None:
        # A refused call is written there too; that it was refused is for the journey to judge.
        if message.type == "error" and "Failed to load resource" not in message.text:
            page = message.page.url if message.page else "?"
            self.complaints.append(f"{message.text} at {page}")
