"""Creates companies through the API, for journeys that start after the login."""

import itertools
from dataclasses import dataclass

import httpx
from playwright.sync_api import BrowserContext

from support.waiting import poll

PASSWORD = "Gwizdek7Pociagu"
DEMO_LOGIN = ("firma@prawko.test", "Demo1234")
OPERATOR_LOGIN = ("operator@prawko.test", "Operator1234")
FIRST_CHECK_SECONDS = 120  # on a busy machine

_numbers = itertools.count(1)
_stems = itertools.count(526_100_000)
_WEIGHTS = (6, 5, 7, 2, 3, 4, 5, 6, 7)


def fresh_tax_id() -> str:
    """Return a tax id with a valid check digit that is unique in this run."""
    while True:
        digits = str(next(_stems))
        check = (
            sum(int(digit) * weight for digit, weight in zip(digits, _WEIGHTS, strict=True)) % 11
        )
        if check < 10:
            return f"{digits}{check}"


def fresh_email(name: str) -> str:
    return f"{name}{next(_numbers)}@acme.test"


@dataclass
class CompanyClient:
    """The API client of a logged-in company."""

    email: str
    client: httpx.Client

    def sign_in_browser(self, context: BrowserContext) -> None:
        """Add the session's cookies to a browser."""
        context.add_cookies([
            {"name": cookie.name, "value": cookie.value, "url": str(self.client.base_url)}
            for cookie in self.client.cookies.jar
        ])  # fmt: skip

    def post(self, path: str, **body: object) -> dict:
        answer = self.client.post(path, json=body)
        assert answer.is_success, f"{path}: {answer.status_code} {answer.text}"
        return answer.json()

    def start_trial(self) -> None:
        self.post("/api/subscription/start-trial", taxId=fresh_tax_id())

    def add_driver(self, first_name: str, last_name: str, number: str) -> dict:
        return self.post(
            "/api/drivers", firstName=first_name, lastName=last_name, licenseNumber=number
        )

    def await_first_checks(self) -> None:
        """Wait until each driver is checked: on an open page a toast would tell its result."""
        poll(
            lambda: all(one["verifications"] for one in self.client.get("/api/drivers").json()),
            FIRST_CHECK_SECONDS,
        )
