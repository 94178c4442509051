"""The first check of an import is told of in one message for each member, later ones one by one."""

from datetime import UTC, datetime, timedelta

import pytest

from prawko.notifications.digest_schedule import DIGEST_DELAY, DIGEST_WINDOW, digest_time
from prawko_testing.fakes import withheld_licence
from support.people import deliver_outbox

pytestmark = pytest.mark.anyio

AT = datetime(2026, 11, 23, 7, 0, tzinfo=UTC)
NUMBERS = [f"AB00000{number}" for number in range(5)]
IMPORT = {
    "text": "\n".join(f"Jan\tNowak-{chr(97 + n)}\t{number}" for n, number in enumerate(NUMBERS)),
    "rows": [1, 2, 3, 4, 5],
}


@pytest.mark.parametrize(
    ("minutes", "window_end"),
    [(0, 5), (4.9, 5), (5, 10), (12, 15), (-3, 5), (23 * 60, 23 * 60 + 5), (24 * 60, None)],
)
def test_a_digest_leaves_at_the_end_of_its_window(minutes, window_end) -> None:
    expected = None if window_end is None else AT + timedelta(minutes=window_end)

    assert digest_time(AT, AT + timedelta(minutes=minutes)) == expected


async def test_an_import_is_one_mail_for_each_member(
    anna, bartek, worker, run_check, register, clock, mailbox
) -> None:
    register.answers = {number: withheld_licence(number) for number in NUMBERS[:3]}
    assert (await anna.post("/api/drivers/import", IMPORT)).status_code == 201
    await deliver_outbox(worker)  # codes of their registration
    before = len(mailbox.sent)

    await run_check()
    await deliver_outbox(worker)

    assert len((await anna.get("/api/notifications")).json()) == 3
    assert len(mailbox.sent) == before
    clock.forward(seconds=(DIGEST_WINDOW + DIGEST_DELAY).total_seconds())
    await deliver_outbox(worker)
    assert len(mailbox.sent) == before + 2
    for person in (anna, bartek):
        mail = mailbox.messages_to(person.email)[-1]
        assert mail.subject == "Pierwsze sprawdzenie: 3 kierowcy wymagają uwagi"
        assert "Jan Nowak-a, AB000000" in mail.text
        assert "Zatrzymane uprawnienia: Decyzja starosty" in mail.text
        assert "AB000004" not in mail.text


async def test_one_problem_of_an_import_is_told_of_like_any_other(
    anna, worker, run_check, register, clock, mailbox
) -> None:
    register.answers = {NUMBERS[0]: withheld_licence(NUMBERS[0])}
    await anna.post("/api/drivers/import", IMPORT)
    await run_check()
    clock.forward(minutes=6)
    await deliver_outbox(worker)

    assert mailbox.messages_to(anna.email)[-1].subject == "Zatrzymane uprawnienia: Jan Nowak-a"


async def test_a_later_change_of_an_imported_driver_is_a_mail_of_its_own(
    anna, worker, run_check, register, clock, mailbox
) -> None:
    await anna.post("/api/drivers/import", IMPORT)
    await run_check()
    clock.forward(days=1)
    register.answers = {number: withheld_licence(number) for number in NUMBERS[:2]}
    before = len(mailbox.sent)

    await run_check()
    await deliver_outbox(worker)

    subjects = {sent.message.subject for sent in mailbox.sent[before:]}
    assert subjects == {f"Zatrzymane uprawnienia: Jan Nowak-{letter}" for letter in "ab"}


async def test_a_driver_added_alone_is_a_mail_at_once(
    anna, worker, run_check, register, mailbox
) -> None:
    register.answers = {NUMBERS[0]: withheld_licence(NUMBERS[0])}
    await anna.add_driver(NUMBERS[0])

    await run_check()
    await deliver_outbox(worker)

    assert mailbox.messages_to(anna.email)[-1].subject == "Zatrzymane uprawnienia: Jan Kowalski"
