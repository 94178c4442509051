"""Every state of every screen: its company, its path, and the steps that lead to it.

Steps look texts up in the catalogues, so that a state can be reached in both languages.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from playwright.sync_api import Locator, Page, Route

CATALOGUES = Path(__file__).parents[2] / "frontend" / "src" / "locales"
DAYS_PAST_TRIAL = 9  # the trial has ended and its drivers are not checked


@cache
def _catalogue(language: str, name: str) -> dict:
    return json.loads((CATALOGUES / language / f"{name}.json").read_text(encoding="utf-8"))


class Screen:
    """A page whose texts are looked up by their keys."""

    def __init__(self, page: Page, language: str) -> None:
        self.page = page
        self.language = language

    def text(self, key: str) -> str:
        name, *path = key.split(".")
        text = _catalogue(self.language, name)
        for part in path:
            text = text[part]
        return text

    def button(self, key: str) -> Locator:
        return self.page.get_by_role("button", name=self.text(key), exact=True).first

    def button_starting_with(self, key: str) -> Locator:
        """Return the first button whose name begins with the text up to its first placeholder."""
        prefix = re.escape(self.text(key).split("{{")[0])
        return self.page.get_by_role("button", name=re.compile(f"^{prefix}")).first

    def fill(self, key: str, text: str) -> None:
        self.page.get_by_label(self.text(key), exact=True).fill(text)

    def press(self, key: str) -> None:
        self.button(key).click()

    def expect_text(self, key: str) -> None:
        prefix = self.text(key).split("{{")[0].split("<")[0].strip()
        self.page.get_by_text(prefix).locator("visible=true").first.wait_for()


Step = Callable[[Screen], None]
# Disables the five-second timer after which the success page opens the panel.
KEEP_PAGE = """const later = setTimeout
setTimeout = (act, after, ...rest) => later(act, after === 5000 ? 1e9 : after, ...rest)"""


@dataclass(frozen=True)
class State:
    """One state of one screen.

    `company` is a key of the fixture `companies`, `days` how far the product's clock is moved.
    """

    name: str
    company: str | None
    path: str
    step: Step | None = None
    days: int = 0
    broken: str | re.Pattern[str] | None = None
    unanswered: str | None = None
    override: tuple[str, object] | None = None
    mobile: bool = False
    spins: bool = False  # shows a spinner permanently
    stays: bool = False  # without the page's own redirect

    @property
    def busy(self) -> bool:
        """Whether the screen shows a spinner permanently."""
        return self.spins or self.unanswered is not None

    @property
    def single_viewport(self) -> bool:
        """Whether a screenshot of the wide viewport is enough: its layout is another state's."""
        return bool(self.days or self.broken or self.unanswered or self.override)

    def install_routes(self, page: Page) -> None:
        """Make requests fail, stay unanswered, or return another body."""
        if self.stays:
            page.add_init_script(KEEP_PAGE)
        if self.broken:
            page.route(self.broken, fulfil_with_error)
        if self.unanswered:
            page.route(self.unanswered, lambda _: None)
        if self.override:
            pattern, body = self.override
            page.route(pattern, lambda route: fulfil_with_override(route, body))


def fulfil_with_error(route: Route) -> None:
    route.fulfill(status=502, content_type="text/html", body="<h1>Bad Gateway</h1>")


def fulfil_with_override(route: Route, body: object) -> None:
    """Respond with this body; an object is merged into the server's response."""
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


def _press(key: str) -> Step:
    return lambda screen: screen.press(key)


def expect_text(key: str) -> Step:
    return lambda screen: screen.expect_text(key)


def _submit_wrong_login(screen: Screen) -> None:
    screen.fill("accounts.email.label", "nikt@acme.test")
    screen.fill("accounts.password.label", "ToNieTo1")
    screen.press("accounts.login.submit")
    screen.page.get_by_role("form").get_by_role("alert").wait_for()


def _submit_invalid_registration(screen: Screen) -> None:
    screen.fill("accounts.email.label", "anna@acme")
    screen.fill("accounts.password.label", "Password1")
    screen.fill("accounts.confirmPassword.label", "inne")
    screen.press("accounts.register.submit")
    screen.expect_text("accounts.register.termsRequired")
    screen.expect_text("accounts.password.common")


def _submit_taken_email(screen: Screen) -> None:
    screen.fill("accounts.email.label", "firma@prawko.test")
    screen.fill("accounts.password.label", "Gwizdek7Pociagu")
    screen.fill("accounts.confirmPassword.label", "Gwizdek7Pociagu")
    screen.page.get_by_role("checkbox").check()
    screen.press("accounts.register.submit")
    screen.page.get_by_role("form").get_by_role("alert").wait_for()


def _submit_wrong_code(screen: Screen) -> None:
    screen.fill("accounts.verify.code", "zzzzzz")
    screen.press("accounts.verify.submit")
    screen.page.get_by_role("form").get_by_role("alert").wait_for()


def _enter_wrong_tax_id(screen: Screen) -> None:
    screen.page.get_by_label(screen.text("subscription.trial.taxId.label")).fill("1234567890")
    screen.expect_text("subscription.trial.taxId.checksum")


def _submit_without_tax_id(screen: Screen) -> None:
    screen.press("subscription.trial.start")
    screen.expect_text("subscription.trial.taxId.format")


def _open_details(screen: Screen) -> None:
    screen.button_starting_with("dashboard.withheld.detailsOf").click()
    screen.page.get_by_role("dialog").wait_for()


def _open_add_form(screen: Screen) -> None:
    screen.press("drivers.add")
    screen.page.get_by_role("dialog").wait_for()


def _submit_empty_driver(screen: Screen) -> None:
    _open_add_form(screen)
    screen.fill("drivers.form.licenseNumber.label", "12abc")
    screen.press("drivers.form.save")
    screen.expect_text("drivers.form.firstName.required")


def _submit_refused_driver(screen: Screen) -> None:
    _open_add_form(screen)
    screen.fill("drivers.form.firstName.label", "Jan")
    screen.fill("drivers.form.lastName.label", "Szósty")
    screen.fill("drivers.form.licenseNumber.label", "ZZ600001")
    screen.press("drivers.form.save")
    screen.page.get_by_role("form").get_by_role("alert").wait_for()


def _open_edit_form(screen: Screen) -> None:
    screen.button_starting_with("drivers.more").click()
    screen.page.get_by_role("menuitem", name=screen.text("drivers.page.edit")).click()
    screen.page.get_by_role("dialog").wait_for()


def _open_delete_dialog(screen: Screen) -> None:
    screen.button_starting_with("drivers.more").click()
    screen.page.get_by_role("menuitem", name=screen.text("drivers.delete.confirm")).click()
    screen.page.get_by_role("alertdialog").wait_for()


def _open_history(screen: Screen) -> None:
    screen.button_starting_with("drivers.more").click()
    screen.page.get_by_role("menuitem", name=screen.text("verifications.history.title")).click()
    screen.page.get_by_role("dialog").locator("time").first.wait_for()


def _expand_history_entry(screen: Screen) -> None:
    screen.page.get_by_label(screen.text("drivers.search.label")).fill("ZZ100009")
    _open_history(screen)  # the newest entry is expanded
    screen.expect_text("verifications.history.reasons")


def _open_driver_page(screen: Screen) -> None:
    screen.page.get_by_role("row").get_by_role("link").first.click()
    screen.page.get_by_role("dialog").get_by_role("img").wait_for()
    screen.expect_text("verifications.changes.lead")


def _open_failing_history(screen: Screen) -> None:
    screen.button_starting_with("drivers.more").click()
    screen.page.get_by_role("menuitem", name=screen.text("verifications.history.title")).click()
    screen.expect_text("verifications.history.loadFailed")


def _fail_manual_check(screen: Screen) -> None:
    _open_history(screen)
    screen.press("verifications.history.check")
    screen.page.get_by_role("dialog").get_by_role("alert").wait_for()


def _search_without_match(screen: Screen) -> None:
    screen.page.get_by_label(screen.text("drivers.search.label")).fill("Brzęczyszczykiewicz")
    screen.expect_text("drivers.noMatch.title")


def _open_list_keys(screen: Screen) -> None:
    screen.page.locator("tbody tr").first.wait_for()
    screen.page.keyboard.press("?")
    screen.page.get_by_role("dialog").wait_for()


def _open_help(screen: Screen) -> None:
    screen.press("common.menu.help")
    screen.page.get_by_role("dialog").wait_for()


def _open_contact_form(screen: Screen) -> None:
    _open_help(screen)
    screen.page.get_by_role("tab", name=screen.text("help.contact.tab")).click()


def _submit_empty_contact_form(screen: Screen) -> None:
    _open_contact_form(screen)
    screen.press("help.contact.send")
    screen.expect_text("help.contact.subject.required")


def _submit_contact_form(role: str) -> Step:
    def write(screen: Screen) -> None:
        _open_contact_form(screen)
        screen.fill("help.contact.subject.label", "Faktura za listopad")
        screen.fill("help.contact.message.label", "Proszę o fakturę na inną nazwę firmy.")
        screen.press("help.contact.send")
        screen.page.get_by_role("form").get_by_role(role).wait_for()

    return write


def _open_public_menu(screen: Screen) -> None:
    screen.press("public.openMenu")
    screen.page.get_by_role("dialog").wait_for()


def _unfold_landing_page(screen: Screen) -> None:
    for question in screen.page.locator("summary").all():
        question.click()
    screen.press("landing.about.more")


def _submit_message(role: str) -> Step:
    def write(screen: Screen) -> None:
        screen.fill("landing.contact.name", "Żaneta Łącka")
        screen.fill("landing.contact.email", "zaneta@acme.test")
        screen.fill("landing.contact.company", "Łącka Trans")
        screen.fill("landing.contact.driversCount", "120")
        screen.fill("landing.contact.message", "Czy jest zniżka dla dużej floty?")
        screen.page.get_by_role("checkbox").check()
        screen.press("landing.contact.send")
        screen.page.locator("#contact").get_by_role(role).get_by_role("paragraph").first.wait_for()

    return write


def _open_drawer(screen: Screen) -> None:
    screen.press("common.menu.open")
    screen.page.get_by_role("dialog").wait_for()


def _fail_to_mark_read(screen: Screen) -> None:
    screen.button_starting_with("notifications.markRead").click()
    screen.page.get_by_role("listitem").get_by_role("alert").wait_for()


def _submit_wrong_phone(screen: Screen) -> None:
    screen.fill("notifications.phone.number.label", "12345")
    screen.press("notifications.phone.send")
    screen.expect_text("notifications.phone.number.format")


def _request_phone_code(screen: Screen) -> None:
    screen.fill("notifications.phone.number.label", "+48 500 100 200")
    screen.press("notifications.phone.send")
    screen.page.get_by_label(screen.text("notifications.phone.code.label")).wait_for()


DRIVERS, PANEL, NOTIFICATIONS = "/panel/drivers", "/panel", "/panel/notifications"
CODE_SENT = (
    "**/send-verification-sms", {"ok": True, "message": "Kod wysłany", "resendAfter": 30},
)  # fmt: skip
VERIFIED_PHONE = {
    "phoneNumber": "+48500100200", "phoneVerified": True, "smsNotificationsEnabled": True,
}  # fmt: skip
NOTIFICATION_PAGE = [
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
    State("landing-menu", None, "/", _open_public_menu, mobile=True),
    State("landing-unfolded", None, "/", _unfold_landing_page),
    State("landing-sent", None, "/", _submit_message("status"),
          override=("**/api/contact", {"ok": True, "message": "Wiadomość wysłana"})),
    State("landing-failed", None, "/", _submit_message("alert"), broken="**/api/contact"),
    State("login", None, "/auth/login"),
    State("login-empty", None, "/auth/login", _press("accounts.login.submit")),
    State("login-wrong", None, "/auth/login", _submit_wrong_login),
    State("register", None, "/auth/register"),
    State("register-errors", None, "/auth/register", _submit_invalid_registration),
    State("register-taken", None, "/auth/register", _submit_taken_email),
    State("verify-visitor", None, "/auth/verify-email"),
    State("terms", None, "/terms"),
    State("privacy", None, "/privacy"),
    State("verify", "unverified", "/panel"),
    State("verify-wrong", "unverified", "/panel", _submit_wrong_code),
    State("newcomer-dashboard", "newcomer", PANEL, expect_text("subscription.trial.title")),
    State("newcomer-drivers", "newcomer", DRIVERS, expect_text("drivers.subscription.title")),
    State("newcomer-subscription", "newcomer", "/panel/subscription", _enter_wrong_tax_id),
    State("newcomer-no-tax-id", "newcomer", "/panel/subscription", _submit_without_tax_id),
    State("newcomer-notifications", "newcomer", NOTIFICATIONS, expect_text("notifications.empty")),
    State("phone-wrong", "newcomer", NOTIFICATIONS, _submit_wrong_phone),
    State("phone-code", "newcomer", NOTIFICATIONS, _request_phone_code, override=CODE_SENT),
    State("phone-verified", "demo", NOTIFICATIONS, expect_text("notifications.phone.verified"),
          override=("**/api/user", VERIFIED_PHONE)),
    State("email-problem", "fleet", NOTIFICATIONS, expect_text("notifications.emailProblem.title"),
          override=("**/api/user", {"emailProblem": "bounced"})),
    State("email-problem-dashboard", "fleet", PANEL,
          expect_text("notifications.emailProblem.action"),
          override=("**/api/user", {"emailProblem": "bounced"})),
    State("notifications-pages", "fleet", NOTIFICATIONS, expect_text("notifications.paging.older"),
          override=("**/api/notifications?*", NOTIFICATION_PAGE)),
    State("empty-dashboard", "empty", PANEL, expect_text("dashboard.noDrivers.title")),
    State("empty-drivers", "empty", DRIVERS, expect_text("drivers.empty.title")),
    State("not-found", "newcomer", "/panel/nic-tu-nie-ma"),
    State("fleet-dashboard", "fleet", PANEL),
    State("details", "fleet", PANEL, _open_details),
    State("fleet-drivers", "fleet", DRIVERS),
    State("add", "fleet", DRIVERS, _open_add_form),
    State("add-errors", "fleet", DRIVERS, _submit_empty_driver),
    State("add-refused", "fleet", DRIVERS, _submit_refused_driver),
    State("edit", "fleet", DRIVERS, _open_edit_form),
    State("delete", "fleet", DRIVERS, _open_delete_dialog),
    State("history-open", "fleet", DRIVERS, _expand_history_entry),
    State("no-match", "fleet", DRIVERS, _search_without_match),
    State("attention-drivers", "fleet", f"{DRIVERS}?status=attention"),
    State("list-keys", "fleet", DRIVERS, _open_list_keys),
    State("fleet-notifications", "fleet", NOTIFICATIONS),
    State("fleet-subscription", "fleet", "/panel/subscription"),
    State("stale-dashboard", "fleet", PANEL, expect_text("dashboard.stale.title"), days=3),
    State("stale-drivers", "fleet", DRIVERS, days=3),
    State("ended-dashboard", "fleet", PANEL, days=DAYS_PAST_TRIAL),
    State("ended-drivers", "fleet", DRIVERS, days=DAYS_PAST_TRIAL),
    State("ended-subscription", "fleet", "/panel/subscription", days=DAYS_PAST_TRIAL),
    State("demo-dashboard", "demo", PANEL),
    State("demo-drivers", "demo", DRIVERS),
    State("demo-history", "demo", DRIVERS, _open_history),
    State("driver-page", "demo", DRIVERS, _open_driver_page),
    State("driver-missing", "demo", f"{DRIVERS}/00000000-0000-7000-8000-000000000000",
          expect_text("common.notFound.title")),
    State("demo-notifications", "demo", NOTIFICATIONS),
    State("demo-subscription", "demo", "/panel/subscription"),
    State("account", "demo", "/panel/account"),
    State("help", "demo", PANEL, _open_help),
    State("contact-errors", "demo", PANEL, _submit_empty_contact_form),
    State("contact-sent", "demo", PANEL, _submit_contact_form("status"),
          override=("**/api/help/ticket", {"ok": True, "message": "Wiadomość wysłana"})),
    State("contact-failed", "demo", PANEL, _submit_contact_form("alert"),
          broken="**/api/help/ticket"),
    State("drawer", "demo", PANEL, _open_drawer, mobile=True),
    State("dashboard-loading", "demo", PANEL, expect_text("dashboard.title"),
          unanswered="**/api/drivers*"),
    State("dashboard-broken", "demo", PANEL, broken="**/api/drivers*"),
    State("drivers-broken", "demo", DRIVERS, broken="**/api/drivers?*"),
    State("history-broken", "demo", DRIVERS, _open_failing_history, broken="**/changes?*"),
    State("check-failed", "demo", DRIVERS, _fail_manual_check, broken="**/verify"),
    State("mark-failed", "fleet", NOTIFICATIONS, _fail_to_mark_read, broken="**/read"),
    State("notifications-broken", "fleet", NOTIFICATIONS, broken="**/api/notifications?*"),
    State("subscription-loading", "demo", "/panel/subscription", unanswered="**/api/subscription"),
    State("everything-broken", "demo", PANEL, broken="**/api/user"),
)  # fmt: skip
