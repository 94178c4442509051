"""Lists of drivers as the server answers them, of any length and with every state in them."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from playwright.sync_api import Page, Route

LIST_ROUTE = "**/api/drivers?*"
VERSION_ROUTE = "**/api/checks/version"
FIRST_NAMES = ["Jan", "Anna", "Włodzimierz", "Ewa", "Łukasz", "Świętosława", "Konstanty-Maria"]
LAST_NAMES = [
    "Nowak", "Konstantynopolitańczykowianeczka", "O\u2019Neil", "Ćwikła", "Wołodyjowska",
    "Brzęczyszczykiewicz-Rozwadowska", "Lis", "Kowalczyk",
]  # fmt: skip
ALL_CATEGORIES = ["AM", "A1", "A", "B1", "B", "B+E", "C1", "C1+E", "C", "C+E", "T"]
CATEGORIES = [["B"], ["AM", "B", "C", "C+E"], ALL_CATEGORIES, ["B", "C"]]
GROUPS = ("withheld", "attention", "expiring", "waiting")


MAY_DRIVE = {"withheld": "no", "waiting": "check"}


def create_drivers(number: int) -> list[dict]:
    """Create summaries of drivers; each of the groups has a tenth of them, in turn."""
    return [_create_driver(index) for index in range(number)]


def _create_driver(index: int) -> dict:
    group = GROUPS[index % 10] if index % 10 < len(GROUPS) else "valid"
    driver_id = f"00000000-0000-7000-8000-{index:012}"
    return {
        "id": driver_id, "firstName": FIRST_NAMES[index % len(FIRST_NAMES)],
        "lastName": LAST_NAMES[index % len(LAST_NAMES)], "licenseNumber": f"LT{100000 + index}",
        "status": "valid", "neededCategories": [], "createdAt": "2026-10-02T08:00:00Z",
        "overLimit": False, "staleSince": "2026-11-01T05:00:00Z" if index % 30 == 1 else None,
        "verifications": [] if group == "waiting" else [_create_verification(index, group)],
        "episode": None, "mayDrive": MAY_DRIVE.get(group, "yes"),
    }  # fmt: skip


def _create_verification(index: int, group: str) -> dict:
    today = datetime.now(ZoneInfo("Europe/Warsaw")).date()
    ends = [today + timedelta(days=days) for days in (2000, -23, 9)]
    last_day = {"expiring": ends[2]}.get(group, ends[0])
    categories = [
        {"kategoria": code, "dataWaznosci": str(ends[0])} for code in CATEGORIES[index % 4]
    ]
    if group == "attention":
        categories[-1]["dataWaznosci"] = str(ends[1])
    return {
        "status": "invalid" if group == "withheld" else "valid",
        "verifiedAt": f"{today}T05:12:00Z",
        "documentStatus": "Zatrzymany" if group == "withheld" else "Wydany",
        "expiryDate": str(last_day), "expired": False, "categories": categories,
        "issuingAuthority": "Starosta Krakowski",
    }  # fmt: skip


def answer_with_drivers(page: Page, number: int) -> None:
    """Answer the page's requests for the list with that many drivers."""
    page.route(LIST_ROUTE, lambda route: route.fulfill(json=create_drivers(number)))


@contextmanager
def results_held_back(page: Page, last_names: str) -> Iterator[None]:
    """Show drivers whose last names begin so as unchecked, however soon the check is.

    A toast of the first results would replace the one that a journey waits for.
    """

    def answer(route: Route) -> None:
        response = route.fetch()
        rows = response.json()
        for one in rows:
            if one["lastName"].startswith(last_names):
                one["verifications"] = []
        route.fulfill(response=response, json=rows)

    page.route(LIST_ROUTE, answer)
    page.route(VERSION_ROUTE, lambda route: route.fulfill(json={"version": "held back"}))
    yield
    page.unroute_all(behavior="wait")
