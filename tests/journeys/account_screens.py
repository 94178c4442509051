"""The states of the account's pages: a forgotten password, the account, its devices and data."""

import re

from screens import Screen, State, Step

ACCOUNT, FORGOT, RESET = "/panel/account", "/auth/forgot-password", "/auth/reset-password"
LINK = f"{RESET}?token=AaH9VRrBc8"
ASK, REPLACE, CHANGE = "**/request-password-reset", "**/api/reset-password", "**/change-password"
FAILING = re.compile("change-password|revoke-others|company/export")
COMMON, GOOD = "Haslo1234", "Gwizdek7Pociagu"
DONE = {"ok": True, "message": ""}
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


def _expect(key: str) -> Step:
    return lambda screen: screen.expect(key)


def _sent(screen: Screen) -> None:
    screen.fill("accounts.email.label", "anna@acme.test")
    screen.press("accounts.forgot.submit")
    screen.expect("accounts.forgot.sent")


def _replace(first: str, second: str) -> Step:
    def replace(screen: Screen) -> None:
        screen.fill("accounts.change.new", first)
        screen.fill("accounts.change.confirm", second)
        screen.press("accounts.change.submit")

    return replace


def _reset_errors(screen: Screen) -> None:
    _replace(COMMON, "inne")(screen)
    screen.expect("accounts.password.common")
    screen.expect("accounts.confirmPassword.mismatch")


def _reset_done(screen: Screen) -> None:
    _replace(GOOD, GOOD)(screen)
    screen.expect("accounts.reset.done")


def _change(current: str, first: str, second: str) -> Step:
    def change(screen: Screen) -> None:
        screen.page.locator("main [data-spinner]").first.wait_for(state="detached")
        screen.fill("accounts.change.current", current)
        _replace(first, second)(screen)

    return change


def _too_short(screen: Screen) -> None:
    _change("abc", "Nowe1", "Nowe1")(screen)
    screen.expect("accounts.change.tooShort")


def _changed(screen: Screen) -> None:
    _change("Demo1234", GOOD, GOOD)(screen)
    screen.page.get_by_role("form").get_by_role("status").wait_for()


def _all_devices(screen: Screen) -> None:
    screen.starting("accounts.sessions.all").click()


def _nothing_works(screen: Screen) -> None:
    _change("Demo1234", GOOD, GOOD)(screen)
    screen.press("accounts.sessions.others")
    screen.press("accounts.export.action")
    screen.page.get_by_role("main").get_by_role("alert").nth(2).wait_for()


ACCOUNT_STATES = (
    State("forgot", None, FORGOT),
    State("forgot-sent", None, FORGOT, _sent, told=(ASK, DONE)),
    State("reset", None, LINK),
    State("reset-errors", None, LINK, _reset_errors),
    State("reset-expired", None, RESET, _expect("accounts.reset.expired")),
    State("reset-done", None, LINK, _reset_done, told=(REPLACE, DONE)),
    State("account-devices", "fleet", ACCOUNT, _all_devices, told=("**/api/sessions", DEVICES)),
    State("account-other-language", "fleet", ACCOUNT, told=("**/api/user", {"language": "en"})),
    State("change-errors", "fleet", ACCOUNT, _too_short),
    State("change-done", "fleet", ACCOUNT, _changed, told=(CHANGE, DONE)),
    State("devices-broken", "fleet", ACCOUNT, broken="**/api/sessions"),
    State("account-fails", "fleet", ACCOUNT, _nothing_works, broken=FAILING,
          told=("**/api/sessions", DEVICES)),
)  # fmt: skip
