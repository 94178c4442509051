"""The states of the account's screens: password reset, account, devices and data export."""

import re

from screens import Screen, State, Step, expect_text

ACCOUNT, FORGOT, RESET = "/panel/account", "/auth/forgot-password", "/auth/reset-password"
RESET_LINK = f"{RESET}#token=AaH9VRrBc8"
REQUEST_RESET, RESET_PASSWORD, CHANGE_PASSWORD = (
    "**/request-password-reset",
    "**/api/reset-password{,/check}",
    "**/change-password",
)
FAILING_CALLS = re.compile("change-password|revoke-others|company/export")
COMMON_PASSWORD, GOOD_PASSWORD = "Haslo1234", "Gwizdek7Pociagu"
CHANGED_DOCUMENTS = [
    {"document": document, "version": "2027-03-01"}
    for document in ("terms", "privacy", "data_processing")
]
OK_RESPONSE = {"ok": True, "message": ""}
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26.0 Mobile Safari/604.1"
BROWSER = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0 Safari/537.36"
DEVICES = [
    {
        "id": f"01a1f000-0000-7000-8000-{number:012}", "current": number == 1,
        "createdAt": f"2026-11-{20 - number:02}T08:00:00Z",
        "lastSeenAt": f"2026-11-{21 - number:02}T08:00:00Z",
        "ip": "2001:db8:85a3:8d3:1319:8a2e:370:7348" if number == 2 else "192.0.2.7",
        "agent": {1: BROWSER, 2: PHONE, 3: "curl/8.5.0"}.get(number, BROWSER),
    }
    for number in range(1, 8)
]  # fmt: skip


def _fail_to_accept(screen: Screen) -> None:
    screen.press("accounts.acceptance.submit")  # these versions are not the current ones
    screen.expect_text("accounts.acceptance.failed")


def _request_link(screen: Screen) -> None:
    screen.fill("accounts.email.label", "anna@acme.test")
    screen.press("accounts.forgot.submit")
    screen.expect_text("accounts.forgot.sent")


def _submit_new_passwords(first: str, second: str) -> Step:
    def replace(screen: Screen) -> None:
        screen.fill("accounts.change.new", first)
        screen.fill("accounts.change.confirm", second)
        screen.press("accounts.change.submit")

    return replace


def _submit_bad_passwords(screen: Screen) -> None:
    _submit_new_passwords(COMMON_PASSWORD, "inne")(screen)
    screen.expect_text("accounts.password.common")
    screen.expect_text("accounts.confirmPassword.mismatch")


def _complete_reset(screen: Screen) -> None:
    _submit_new_passwords(GOOD_PASSWORD, GOOD_PASSWORD)(screen)
    screen.expect_text("accounts.reset.done")


def _submit_password_change(current: str, first: str, second: str) -> Step:
    def change(screen: Screen) -> None:
        screen.page.locator("main [data-spinner]").first.wait_for(state="detached")
        screen.fill("accounts.change.current", current)
        _submit_new_passwords(first, second)(screen)

    return change


def _submit_short_password(screen: Screen) -> None:
    _submit_password_change("abc", "Nowe1", "Nowe1")(screen)
    screen.expect_text("accounts.change.tooShort")


def _complete_change(screen: Screen) -> None:
    _submit_password_change("Demo1234", GOOD_PASSWORD, GOOD_PASSWORD)(screen)
    screen.page.get_by_role("form").get_by_role("status").wait_for()


def _show_all_devices(screen: Screen) -> None:
    screen.button_starting_with("accounts.sessions.all").click()


def _fail_every_action(screen: Screen) -> None:
    _submit_password_change("Demo1234", GOOD_PASSWORD, GOOD_PASSWORD)(screen)
    screen.press("accounts.sessions.others")
    screen.press("accounts.export.action")
    screen.page.get_by_role("main").get_by_role("alert").nth(2).wait_for()


ACCOUNT_STATES = (
    State("forgot", None, FORGOT),
    State("forgot-sent", None, FORGOT, _request_link, override=(REQUEST_RESET, OK_RESPONSE)),
    State("reset", None, RESET_LINK, override=(RESET_PASSWORD, OK_RESPONSE)),
    State("reset-checking", None, RESET_LINK, unanswered=RESET_PASSWORD),
    State("reset-errors", None, RESET_LINK, _submit_bad_passwords,
          override=(RESET_PASSWORD, OK_RESPONSE)),
    State("reset-expired", None, RESET_LINK, expect_text("accounts.reset.expired")),
    State("reset-done", None, RESET_LINK, _complete_reset, override=(RESET_PASSWORD, OK_RESPONSE)),
    State("account-devices", "fleet", ACCOUNT, _show_all_devices,
          override=("**/api/sessions", DEVICES)),
    State("documents-changed", "fleet", "/panel", expect_text("accounts.acceptance.title"),
          override=("**/api/user", {"pendingDocuments": CHANGED_DOCUMENTS})),
    State("documents-failed", "fleet", "/panel", _fail_to_accept,
          override=("**/api/user", {"pendingDocuments": CHANGED_DOCUMENTS})),
    State("account-other-language", "fleet", ACCOUNT, override=("**/api/user", {"language": "en"})),
    State("change-errors", "fleet", ACCOUNT, _submit_short_password),
    State("change-done", "fleet", ACCOUNT, _complete_change,
          override=(CHANGE_PASSWORD, OK_RESPONSE)),
    State("devices-broken", "fleet", ACCOUNT, broken="**/api/sessions"),
    State("account-fails", "fleet", ACCOUNT, _fail_every_action, broken=FAILING_CALLS,
          override=("**/api/sessions", DEVICES)),
)  # fmt: skip
