"""The first check of an import is one message for each member; later results are one each."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.fanout import (
    DIGEST_DELAY,
    DIGEST_WINDOW,
    ChannelPolicy,
    bundle_timestamp,
    digest_time,
)
from prawko.notifications.payloads import DriverPayload
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko_testing.fakes import withheld_licence
from support.database import fetch_rows
from support.people import deliver_outbox

pytestmark = pytest.mark.anyio

MESSAGE_OF_BUNDLE = """
    SELECT d.key, d.bundle_id, n.created_at FROM delivery d JOIN notice n USING (bundle_id)
     WHERE d.channel_medium = 'email'
"""
AT = datetime(2026, 11, 23, 7, 0, tzinfo=UTC)
WITHHELD = "Nie może jechać. Zatrzymane uprawnienia"
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
        assert mail.subject == "Nie może jechać: 3. Pierwsze sprawdzenie: 3 kierowcy wymagają uwagi"
        assert "Jan Nowak-a, AB000000" in mail.text
        assert "Zatrzymane uprawnienia: Decyzja starosty" in mail.text
        assert "AB000004" not in mail.text


async def test_the_previous_release_would_write_the_same_message_and_lock(
    anna, worker, logins, run_check, register
) -> None:
    register.answers = {NUMBERS[0]: withheld_licence(NUMBERS[0])}
    await anna.post("/api/drivers/import", IMPORT)
    await run_check()

    [row] = await fetch_rows(logins, MESSAGE_OF_BUNDLE)
    tenant_id = await anna.tenant_id(worker)
    assert row["key"].startswith(f"digest:{tenant_id}:{row['created_at'].isoformat()}:")
    assert bundle_timestamp(row["bundle_id"]) == row["created_at"].timestamp()


async def test_a_digest_waits_for_a_result_that_is_still_being_written(
    anna, worker, clock, mailbox, fleet
) -> None:
    """A write that is slower than the delay would join a mail that has left."""
    tenant_id, digest_at = await anna.tenant_id(worker), clock.now() + DIGEST_WINDOW
    policy = ChannelPolicy.from_settings(worker.settings)

    async def publish(session, last_name: str) -> None:
        draft = NoticeDraft(
            kind=NoticeKind.WITHHELD,
            dedup_key=last_name,
            payload=DriverPayload(
                first_name="Jan", last_name=last_name, license_number=NUMBERS[0],
                checked_at=clock.now(), state="Zatrzymany",
            ),
            digest_at=digest_at,
        )  # fmt: skip
        await session.switch_tenant(tenant_id)
        await publish_notices(session, tenant_id, [draft], policy=policy, now=clock.now())

    async with worker.database.batch() as session:
        await publish(session, "Nowak")
    await deliver_outbox(worker)  # the code of her registration
    before = len(mailbox.sent)
    async with worker.database.batch() as session:
        await publish(session, "Kowalski")
        clock.set(digest_at + DIGEST_DELAY)
        await deliver_outbox(worker)  # gives up after a while
        await fleet.admin.execute("UPDATE delivery SET next_try_at = now()")
        delivering = asyncio.create_task(deliver_outbox(worker))
        await asyncio.sleep(0.5)
        assert len(mailbox.sent) == before
    await delivering

    assert len(mailbox.sent) == before + 1
    text = mailbox.messages_to(anna.email)[-1].text
    assert "Jan Nowak" in text
    assert "Jan Kowalski" in text


async def test_a_manual_first_check_of_an_imported_driver_joins_the_digest(
    anna, worker, run_check, register, clock, mailbox
) -> None:
    register.answers = {number: withheld_licence(number) for number in NUMBERS[:3]}
    await anna.post("/api/drivers/import", IMPORT)
    driver = (await anna.list_drivers())[0]["id"]
    assert (await anna.post(f"/api/drivers/{driver}/verify")).status_code == 200
    await run_check()
    clock.forward(seconds=(DIGEST_WINDOW + DIGEST_DELAY).total_seconds())
    await deliver_outbox(worker)

    subject = mailbox.messages_to(anna.email)[-1].subject
    assert subject == "Nie może jechać: 3. Pierwsze sprawdzenie: 3 kierowcy wymagają uwagi"


async def test_a_single_problem_of_an_import_has_an_ordinary_notice(
    anna, worker, run_check, register, clock, mailbox
) -> None:
    register.answers = {NUMBERS[0]: withheld_licence(NUMBERS[0])}
    await anna.post("/api/drivers/import", IMPORT)
    await run_check()
    clock.forward(minutes=6)
    await deliver_outbox(worker)

    assert (
        mailbox.messages_to(anna.email)[-1].subject
        == "Nie może jechać. Zatrzymane uprawnienia: Jan Nowak-a"
    )


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
    assert subjects == {
        f"Nie może jechać. Zatrzymane uprawnienia: Jan Nowak-{letter}" for letter in "ab"
    }


async def test_a_driver_added_alone_is_a_mail_at_once(
    anna, worker, run_check, register, mailbox
) -> None:
    register.answers = {NUMBERS[0]: withheld_licence(NUMBERS[0])}
    await anna.add_driver(NUMBERS[0])

    await run_check()
    await deliver_outbox(worker)

    assert (
        mailbox.messages_to(anna.email)[-1].subject
        == "Nie może jechać. Zatrzymane uprawnienia: Jan Kowalski"
    )
