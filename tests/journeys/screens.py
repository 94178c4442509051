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
# The five seconds after which the success page opens the panel.
STAY = """const later = setTimeout
setTimeout = (act, after, ...rest) => later(act, after === 5000 ? 1e9 : after, ...rest)"""


@dataclass(frozen=True)
class State:
    """One state of one screen. `who` names a fixture company; `days` moves the product's clock."""

    name: str
    who: str | None
    path: str
    step: Step | None = None
    days: int = 0
    broken: str | re.Pattern[str] | None = None
    silent: str | None = None
    told: tuple[str, object] | None = None
    mobile: bool = False
    waits: bool = False  # its spinner never ends
    stays: bool = False  # though it would lead on by itself

    @property
    def busy(self) -> bool:
        """Whether a spinner turns for as long as one looks."""
        return self.waits or self.silent is not None

    @property
    def rare(self) -> bool:
        """Photographed on a desk alone: its frame is another state's."""
        return bool(self.days or self.broken or self.silent or self.told)

    def arrange(self, page: Page) -> None:
        """Make a call fail, never be answered, or tell something else than it would."""
        if self.stays:
            page.add_init_script(STAY)
        if self.broken:
            page.route(self.broken, fail)
        if self.silent:
            page.route(self.silent, lambda _: None)
        if self.told:
            pattern, body = self.told
            page.route(pattern, lambda route: tell(route, body))


def fail(route: Route) -> None:
    route.fulfill(status=502, content_type="text/html", body="<h1>Bad Gateway</h1>")


def tell(route: Route, body: object) -> None:
    """Answer a call with this body; an object read from the server is only changed by it."""
    if route.request.method == "GET" and isinstance(body, dict):
        real = route.fetch()
        if real.ok:
            route.fulfill(response=real, json={**real.json(), **body})
        else:
            route.fulfill(json=body)
    elif isinstance(body, list):
        route.fulfill(json=body, headers={"Content-Range": f"rows 0-{len(body) - 1}/42"})
    else:
        route.fulfill(json=body)


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
    screen.fill("accounts.password.label", "Password1")
    screen.fill("accounts.confirmPassword.label", "inne")
    screen.press("accounts.register.submit")
    screen.expect("accounts.register.termsRequired")
    screen.expect("accounts.password.common")


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


def _contact(screen: Screen) -> None:
    _help(screen)
    screen.page.get_by_role("tab", name=screen.says("help.contact.tab")).click()


def _contact_nothing(screen: Screen) -> None:
    _contact(screen)
    screen.press("help.contact.send")
    screen.expect("help.contact.subject.required")


def _contact_us(said: str) -> Step:
    def write(screen: Screen) -> None:
        _contact(screen)
        screen.fill("help.contact.subject.label", "Faktura za listopad")
        screen.fill("help.contact.message.label", "Proszę o fakturę na inną nazwę firmy.")
        screen.press("help.contact.send")
        screen.page.get_by_role("form").get_by_role(said).wait_for()

    return write


def _drawer(screen: Screen) -> None:
    screen.press("common.menu.open")
    screen.page.get_by_role("dialog").wait_for()


def _mark_failed(screen: Screen) -> None:
    screen.starting("notifications.markRead").click()
    screen.page.get_by_role("listitem").get_by_role("alert").wait_for()


def _wrong_phone(screen: Screen) -> None:
    screen.fill("notifications.phone.number.label", "12345")
    screen.press("notifications.phone.send")
    screen.expect("notifications.phone.number.format")


def _code_sent(screen: Screen) -> None:
    screen.fill("notifications.phone.number.label", "+48 500 100 200")
    screen.press("notifications.phone.send")
    screen.page.get_by_label(screen.says("notifications.phone.code.label")).wait_for()


DRIVERS, PANEL, NOTIFICATIONS = "/panel/drivers", "/panel", "/panel/notifications"
CODE_SENT = (
    "**/send-verification-sms", {"ok": True, "message": "Kod wysłany", "resendAfter": 30},
)  # fmt: skip
VERIFIED_PHONE = {
    "phoneNumber": "+48500100200", "phoneVerified": True, "smsNotificationsEnabled": True,
}  # fmt: skip
MANY = [
    {
        "id": f"01a1f000-0000-7000-8000-{number:012}", "type": "driver_status", "read": number > 3,
        "title": "Zatrzymane uprawnienia: Zdzisława Brzęk-Łopuszańska",
        "content": "Rejestr podaje stan dokumentu „Zatrzymany”. Prawo jazdy ZZ100009.",
        "createdAt": f"2026-11-{20 - number:02}T05:05:00Z",
    }
    for number in range(1, 11)
]  # fmt: skip

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
    State("newcomer-notifications", "newcomer", NOTIFICATIONS, _expect("notifications.empty")),
    State("phone-wrong", "newcomer", NOTIFICATIONS, _wrong_phone),
    State("phone-code", "newcomer", NOTIFICATIONS, _code_sent, told=CODE_SENT),
    State("phone-verified", "demo", NOTIFICATIONS, _expect("notifications.phone.verified"),
          told=("**/api/user", VERIFIED_PHONE)),
    State("email-problem", "fleet", NOTIFICATIONS, _expect("notifications.emailProblem.title"),
          told=("**/api/user", {"emailProblem": "bounced"})),
    State("email-problem-dashboard", "fleet", PANEL, _expect("notifications.emailProblem.action"),
          told=("**/api/user", {"emailProblem": "bounced"})),
    State("notifications-pages", "fleet", NOTIFICATIONS, _expect("notifications.paging.older"),
          told=("**/api/notifications?*", MANY)),
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
    State("fleet-notifications", "fleet", NOTIFICATIONS),
    State("fleet-subscription", "fleet", "/panel/subscription"),
    State("stale-dashboard", "fleet", PANEL, _expect("dashboard.stale.title"), days=3),
    State("stale-drivers", "fleet", DRIVERS, days=3),
    State("ended-dashboard", "fleet", PANEL, days=CLEAR_OF_THE_TRIAL),
    State("ended-drivers", "fleet", DRIVERS, days=CLEAR_OF_THE_TRIAL),
    State("ended-subscription", "fleet", "/panel/subscription", days=CLEAR_OF_THE_TRIAL),
    State("demo-dashboard", "demo", PANEL),
    State("demo-drivers", "demo", DRIVERS),
    State("demo-history", "demo", DRIVERS, _history),
    State("demo-notifications", "demo", NOTIFICATIONS),
    State("demo-subscription", "demo", "/panel/subscription"),
    State("account", "demo", "/panel/account"),
    State("help", "demo", PANEL, _help),
    State("contact-errors", "demo", PANEL, _contact_nothing),
    State("contact-sent", "demo", PANEL, _contact_us("status"),
          told=("**/api/help/ticket", {"ok": True, "message": "Wiadomość wysłana"})),
    State("contact-failed", "demo", PANEL, _contact_us("alert"), broken="**/api/help/ticket"),
    State("drawer", "demo", PANEL, _drawer, mobile=True),
    State("dashboard-loading", "demo", PANEL, _expect("dashboard.title"), silent="**/api/drivers*"),
    State("dashboard-broken", "demo", PANEL, broken="**/api/drivers*"),
    State("drivers-broken", "demo", DRIVERS, broken="**/api/drivers?*"),
    State("history-broken", "demo", DRIVERS, _history_broken, broken="**/verifications?*"),
    State("check-failed", "demo", DRIVERS, _check_failed, broken="**/verify"),
    State("mark-failed", "fleet", NOTIFICATIONS, _mark_failed, broken="**/read"),
    State("notifications-broken", "fleet", NOTIFICATIONS, broken="**/api/notifications?*"),
    State("subscription-loading", "demo", "/panel/subscription", silent="**/api/subscription"),
    State("everything-broken", "demo", PANEL, broken="**/api/user"),
)  # fmt: skip
