"""People who are restored for a test are as recent as if they had just signed up."""

import json
from datetime import UTC, datetime, timedelta

from support.people import Person
from support.stored_people import StoredPerson

NOON, DAY = datetime(2026, 1, 5, 12, tzinfo=UTC), timedelta(days=1)


def test_times_of_the_system_and_of_the_products_clock_follow_their_clocks() -> None:
    """The clock was three days late at the sign-up, and is two days early for the test."""
    days = {"login_session": [0, 14], "delivery": [0], "subscription": [-3, 4]}
    rows = {
        table: [{"at": (NOON + count * DAY).isoformat()} for count in counts]
        for table, counts in days.items()
    }

    found = StoredPerson(NOON, -3 * DAY, rows, [], []).find_rows(NOON + DAY, 2 * DAY)

    assert {
        table: [(datetime.fromisoformat(row["at"]) - NOON) // DAY for row in json.loads(text)]
        for table, text in found.items()
    } == {"login_session": [1, 15], "delivery": [1], "subscription": [3, 10]}


async def test_what_was_stored_while_the_clocks_agreed_stays_with_tests_whose_clocks_agree(
    people, clock, new_browser
) -> None:
    """Its times fit both clocks, so that none could be moved with one of them."""
    signed_up: list[Person] = []

    async def sign_up() -> Person:
        signed_up.append(Person("gosia@zegar.test", new_browser()))
        return signed_up[-1]

    for seconds in (0, 0, 1):
        clock.forward(seconds=seconds)
        await people.sign_up("gosia@zegar.test", new_browser(), sign_up)

    assert len(signed_up) == 2
