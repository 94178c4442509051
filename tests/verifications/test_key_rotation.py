"""Re-encryption of stored answers with a new key."""

import base64

import pytest

from prawko.apps.composition_root import create_renderer_registry
from prawko.kit.crypto import DecryptionError
from prawko.verifications import answers
from prawko.verifications.answers import reencrypt_answers
from prawko.verifications.daily.run_now import run_daily_check
from support.applications import open_test_context
from support.fleet import licence_numbers

pytestmark = pytest.mark.anyio

LICENCES = licence_numbers(30)
OLD, NEW = (f"{name}:{base64.b64encode(name.encode() * 16).decode()}" for name in ("k1", "k2"))


@pytest.fixture
def worker_with_keys(variables, logins, register, mailbox, sms_inbox, clock):
    """The worker's context with these keys, the first being the current one."""

    def context(*keys):
        worker_variables = {
            **variables,
            "DATABASE_URL": logins.worker,
            "PLANNER_DATABASE_URL": logins.planner,
            "REGISTER_RATE": "100000",
            "ANSWER_KEYS": ",".join(keys),
        }
        return open_test_context(worker_variables, register, (mailbox, sms_inbox), clock)

    return context


@pytest.fixture
async def stored_answers(fleet, worker_with_keys, clock):
    """Answers of two companies, encrypted with the old key; returns a function that reads them."""
    await fleet.add_companies(LICENCES, clock.now(), companies=2)
    async with worker_with_keys(OLD) as context:
        await run_daily_check(context, create_renderer_registry(context))
    return lambda: fleet.admin.fetch("SELECT id, key_id, raw FROM register_answer ORDER BY id")


def decrypt_answer(context, row):
    return context.key_ring.answer_cipher.decrypt(
        row["key_id"], row["raw"], associated_data=row["id"].bytes
    )


async def test_every_answer_is_reencrypted_once_with_the_same_content(
    stored_answers, worker_with_keys, monkeypatch
):
    monkeypatch.setattr(answers, "REENCRYPTION_BATCH", 7)
    async with worker_with_keys(OLD) as context:
        before = [decrypt_answer(context, row) for row in await stored_answers()]
    async with worker_with_keys(NEW, OLD) as context:
        assert await reencrypt_answers(context) == (len(LICENCES), 0)
        assert await reencrypt_answers(context) == (0, 0)
    async with worker_with_keys(NEW) as context:
        rows = await stored_answers()
        assert {row["key_id"] for row in rows} == {"k2"}
        assert [decrypt_answer(context, row) for row in rows] == before


async def test_answers_with_a_lost_key_are_counted_and_kept(stored_answers, worker_with_keys):
    async with worker_with_keys(NEW) as context:
        assert await reencrypt_answers(context) == (0, len(LICENCES))
        rows = await stored_answers()
        assert {row["key_id"] for row in rows} == {"k1"}
        with pytest.raises(DecryptionError):
            decrypt_answer(context, rows[0])


async def test_an_answer_cannot_be_moved_to_another_row(stored_answers, worker_with_keys):
    async with worker_with_keys(OLD) as context:
        row, other_row = (await stored_answers())[:2]
        with pytest.raises(DecryptionError):
            context.key_ring.answer_cipher.decrypt(
                row["key_id"], row["raw"], associated_data=other_row["id"].bytes
            )
