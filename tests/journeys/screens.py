"""Every screen and every state of it: who sees it, where it is, and how to get there.

Steps speak through both catalogues, so a state is reached in either language.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from playwright.sync_api import Locator, Page, Route

CATALOGUES = Path(__file__).parents[2] / "frontend" / "src" / "locales"
CLEAR_OF_THE_TRIAL = 9  # days: the trial has ended, nothing is checked any more


@cache
def _catalogue(language: str, name: str) -> dict:
    return json.loads((CATALOGUES / language / f"{name}.json").read_text(encoding="utf-8"))


class Screen:
    """A page whose texts are looked up by their keys."""

    def __init__(self, page: Page, language: str) -> None:
        self.page = page
        self.language = language

    def says(self, key: str) -> str:
        name, *path = key.split(".")
        found = _catalogue(self.language, name)
        for step in path:
            found = found[step]
        return found

    def button(self, key: str) -> Locator:
        return self.page.get_by_role("button", name=self.says(key), exact=True).first

    def starting(self, key: str) -> Locator:
        """The first button whose name begins as the text does, before its first value."""
        begin = re.escape(self.says(key).split("{{")[0])
        return self.page.get_by_role("button", name=re.compile(f"^{begin}")).first

    def fill(self, key: str, text: str) -> None:
        self.page.get_by_label(self.says(key), exact=True).fill(text)

    def press(self, key: str) -> None:
        self.button(key).click()

    def expect(self, key: str) -> None:
        begin = self.says(key).split("{{")[0].split("<")[0].strip()
        self.page.get_by_text(begin).locator("visible=true").first.wait_for()


Step = Callable[[Screen], None]


@dataclass(frozen=True)
class State:
    """One state of one screen. `who` names a fixture company; `days` moves the product's clock."""

    name: str
    who: str | None
    path: str
    step: Step | None = None
    days: int = 0
    broken: str | None = None
    silent: str | None = None
    mobile: bool = False

    @property
    def rare(self) -> bool:
        """Looked at in one language only: its frame is another state's."""
        return bool(self.days or self.broken or self.silent)

    def arrange(self, page: Page) -> None:
        """Make a call fail, or never be answered."""
        if self.broken:
            page.route(self.broken, fail)
        if self.silent:
            page.route(self.silent, lambda _: None)


def fail(route: Route) -> None:
    route.fulfill(status=502, content_type="text/html", body="<h1>Bad Gateway</h1>")


def _submit(key: str) -> Step:
    return lambda screen: screen.press(key)


def _expect(key: str) -> Step:
    return lambda screen: screen.expect(key)


def _wrong_login(screen: Screen) -> None:
    screen.fill("accounts.email.label", "nikt@acme.test")
    screen.fill("accounts.password.label", "ToNieTo1")
    screen.press("accounts.login.submit")
    screen.page.get_by_role("form").get_by_role("alert").wait_for()


def _half_registered(screen: Screen) -> None:
    screen.fill("accounts.email.label", "anna@acme")
    screen.fill("accounts.password.label", "password1")
    screen.fill("accounts.confirmPassword.label", "inne")
    screen.press("accounts.register.submit")
    screen.expect("accounts.register.termsRequired")


def _taken(screen: Screen) -> None:
    screen.fill("accounts.email.label", "firma@prawko.test")
    screen.fill("accounts.password.label", "Gwizdek7Pociagu")
    screen.fill("accounts.confirmPassword.label", "Gwizdek7Pociagu")
    screen.page.get_by_role("checkbox").check()
    screen.press("accounts.register.submit")
    screen.page.get_by_role("form").get_by_role("alert").wait_for()


def _wrong_code(screen: Screen) -> None:
    screen.fill("accounts.verify.code", "zzzzzz")
    screen.press("accounts.verify.submit")
    screen.page.get_by_role("form").get_by_role("alert").wait_for()


def _wrong_tax_id(screen: Screen) -> None:
    screen.page.get_by_label(screen.says("subscription.trial.taxId.label")).fill("1234567890")
    screen.expect("subscription.trial.taxId.checksum")


def _no_tax_id(screen: Screen) -> None:
    screen.press("subscription.trial.start")
    screen.expect("subscription.trial.taxId.format")


def _details(screen: Screen) -> None:
    screen.starting("dashboard.withheld.detailsOf").click()
    screen.page.get_by_role("dialog").wait_for()


def _add(screen: Screen) -> None:
    screen.press("drivers.add")
    screen.page.get_by_role("dialog").wait_for()


def _add_nothing(screen: Screen) -> None:
    _add(screen)
    screen.fill("drivers.form.licenseNumber.label", "12abc")
    screen.press("drivers.form.save")
    screen.expect("drivers.form.firstName.required")


def _add_refused(screen: Screen) -> None:
    _add(screen)
    screen.fill("drivers.form.firstName.label", "Jan")
    screen.fill("drivers.form.lastName.label", "Szósty")
    screen.fill("drivers.form.licenseNumber.label", "ZZ600001")
    screen.press("drivers.form.save")
    screen.page.get_by_role("form").get_by_role("alert").wait_for()


def _edit(screen: Screen) -> None:
    screen.starting("drivers.edit").click()
    screen.page.get_by_role("dialog").wait_for()


def _delete(screen: Screen) -> None:
    screen.starting("drivers.delete.action").click()
    screen.page.get_by_role("alertdialog").wait_for()


def _history(screen: Screen) -> None:
    screen.starting("drivers.history").click()
    screen.page.get_by_role("dialog").locator("time").first.wait_for()


def _history_open(screen: Screen) -> None:
    screen.page.get_by_label(screen.says("drivers.search.label")).fill("ZZ100009")
    _history(screen)
    entry = screen.page.get_by_role("dialog").get_by_role("button").filter(
        has=screen.page.locator("time")
    )  # fmt: skip
    entry.first.click()
    screen.expect("verifications.history.reasons")


def _history_broken(screen: Screen) -> None:
    screen.starting("drivers.history").click()
    screen.expect("verifications.history.loadFailed")


def _check_failed(screen: Screen) -> None:
    _history(screen)
    screen.press("verifications.history.check")
    screen.page.get_by_role("dialog").get_by_role("alert").wait_for()


def _nobody(screen: Screen) -> None:
    screen.page.get_by_label(screen.says("drivers.search.label")).fill("Brzęczyszczykiewicz")
    screen.expect("drivers.noMatch.title")


def _help(screen: Screen) -> None:
    screen.press("common.menu.help")
    screen.page.get_by_role("dialog").wait_for()


def _drawer(screen: Screen) -> None:
    screen.press("common.menu.open")
    screen.page.get_by_role("dialog").wait_for()


def _mark_failed(screen: Screen) -> None:
    screen.starting("notifications.markRead").click()
    screen.page.get_by_role("listitem").get_by_role("alert").wait_for()


DRIVERS, PANEL = "/panel/drivers", "/panel"

STATES = (
    State("landing", None, "/"),
    State("login", None, "/auth/login"),
    State("login-empty", None, "/auth/login", _submit("accounts.login.submit")),
    State("login-wrong", None, "/auth/login", _wrong_login),
    State("register", None, "/auth/register"),
    State("register-errors", None, "/auth/register", _half_registered),
    State("register-taken", None, "/auth/register", _taken),
    State("verify-visitor", None, "/auth/verify-email"),
    State("terms", None, "/terms"),
    State("privacy", None, "/privacy"),
    State("verify", "unverified", "/panel"),
    State("verify-wrong", "unverified", "/panel", _wrong_code),
    State("newcomer-dashboard", "newcomer", PANEL, _expect("subscription.trial.title")),
    State("newcomer-drivers", "newcomer", DRIVERS, _expect("drivers.subscription.title")),
    State("newcomer-subscription", "newcomer", "/panel/subscription", _wrong_tax_id),
    State("newcomer-no-tax-id", "newcomer", "/panel/subscription", _no_tax_id),
    State("newcomer-notifications", "newcomer", "/panel/notifications"),
    State("empty-dashboard", "empty", PANEL, _expect("dashboard.noDrivers.title")),
    State("empty-drivers", "empty", DRIVERS, _expect("drivers.empty.title")),
    State("not-found", "newcomer", "/panel/nic-tu-nie-ma"),
    State("fleet-dashboard", "fleet", PANEL),
    State("details", "fleet", PANEL, _details),
    State("fleet-drivers", "fleet", DRIVERS),
    State("add", "fleet", DRIVERS, _add),
    State("add-errors", "fleet", DRIVERS, _add_nothing),
    State("add-refused", "fleet", DRIVERS, _add_refused),
    State("edit", "fleet", DRIVERS, _edit),
    State("delete", "fleet", DRIVERS, _delete),
    State("history-open", "fleet", DRIVERS, _history_open),
    State("nobody", "fleet", DRIVERS, _nobody),
    State("fleet-notifications", "fleet", "/panel/notifications"),
    State("fleet-subscription", "fleet", "/panel/subscription"),
    State("stale-dashboard", "fleet", PANEL, _expect("dashboard.stale.title"), days=3),
    State("stale-drivers", "fleet", DRIVERS, days=3),
    State("ended-dashboard", "fleet", PANEL, days=CLEAR_OF_THE_TRIAL),
    State("ended-drivers", "fleet", DRIVERS, days=CLEAR_OF_THE_TRIAL),
    State("ended-subscription", "fleet", "/panel/subscription", days=CLEAR_OF_THE_TRIAL),
    State("demo-dashboard", "demo", PANEL),
    State("demo-drivers", "demo", DRIVERS),
    State("demo-history", "demo", DRIVERS, _history),
    State("demo-notifications", "demo", "/panel/notifications"),
    State("demo-subscription", "demo", "/panel/subscription"),
    State("account", "demo", "/panel/account"),
    State("help", "demo", PANEL, _help),
    State("drawer", "demo", PANEL, _drawer, mobile=True),
    State("dashboard-loading", "demo", PANEL, _expect("dashboard.title"), silent="**/api/drivers*"),
    State("dashboard-broken", "demo", PANEL, broken="**/api/drivers*"),
    State("drivers-broken", "demo", DRIVERS, broken="**/api/drivers?*"),
    State("history-broken", "demo", DRIVERS, _history_broken, broken="**/verifications?*"),
    State("check-failed", "demo", DRIVERS, _check_failed, broken="**/verify"),
    State("mark-failed", "fleet", "/panel/notifications", _mark_failed, broken="**/read"),
    State("subscription-loading", "demo", "/panel/subscription", silent="**/api/subscription"),
    State("everything-broken", "demo", PANEL, broken="**/api/user"),
)
