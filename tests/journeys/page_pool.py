"""Opens browser pages and collects the errors of their consoles.

A page is reset and reused by later tests, because a browser loads a cached site at half the cost.
"""

from collections import defaultdict

from companies import CompanyClient
from playwright.sync_api import Browser, ConsoleMessage, Page

HEIGHT = 900
# A blocked script or style raises an event of the page, which not every browser logs.
REPORT_CSP_VIOLATIONS = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`refused: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`))
"""
# On the product's origin, without scripts: it sends no requests.
IDLE_PATH = "/robots.txt"
CLEAR_STORAGE = "localStorage.clear(); sessionStorage.clear()"


class PagePool:
    """Opens pages and collects their errors."""

    def __init__(self, chromium: Browser, url: str, scripts: list[str]) -> None:
        self.chromium = chromium
        self.url = url
        self.scripts = scripts
        self.errors: list[str] = []
        self._idle: dict[tuple[str, str], list[Page]] = defaultdict(list)
        self._in_use: list[tuple[Page, list[Page] | None]] = []

    def open(
        self, *, company: CompanyClient | None = None, language: str = "pl-PL", width: int = 1280,
        zone: str = "Europe/Warsaw", scheme: str = "light", reusable: bool = True,
    ) -> Page:  # fmt: skip
        """Open a page, with a Polish browser by default.

        `reusable=False` is for a test that installs a clock or an init script, which cannot be
        removed from a page.
        """
        idle = self._idle[language, zone] if reusable else None
        page = idle.pop() if idle else self._create_page(language, zone)
        self._in_use.append((page, idle))
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.emulate_media(color_scheme=scheme)
        if company:
            company.sign_in_browser(page.context)
        return page

    def release_all(self) -> list[str]:
        """Reset all open pages for later tests; return the errors of their consoles."""
        for page, idle in self._in_use:
            if idle is None:
                page.context.close()
                continue
            page.goto(IDLE_PATH)
            page.evaluate(CLEAR_STORAGE)
            page.mouse.move(0, 0)
            page.unroute_all()
            page.context.clear_cookies()
            idle.append(page)
        self._in_use.clear()
        errors, self.errors = self.errors, []
        return errors

    def _create_page(self, language: str, zone: str) -> Page:
        context = self.chromium.new_context(
            base_url=self.url, locale=language, timezone_id=zone, reduced_motion="reduce",
            service_workers="block",  # it would fetch pages beside `page.route`
        )  # fmt: skip
        context.set_default_timeout(10_000)
        for script in self.scripts:
            context.add_init_script(script)
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._record_console)
        return page

    def _record_console(self, message: ConsoleMessage) -> None:
        # The console logs failed requests, too; the journeys check those themselves.
        if message.type == "error" and "Failed to load resource" not in message.text:
            page = message.page.url if message.page else "?"
            self.errors.append(f"{message.text} at {page}")
