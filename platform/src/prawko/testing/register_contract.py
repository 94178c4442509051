"""What every licence register promises, as tests: subclass it and hand in your register.

    class TestContract(RegisterContract):
        @pytest.fixture
        async def register(self) -> AsyncIterator[LicenceRegister]: ...

The register must be connected to a server that can be told to fail. Needs pytest and
anyio; your fixtures may be async, for every test is.
"""

# ruff: noqa: S101 (tests are made of assertions)

import asyncio
import time
from collections.abc import Callable

import msgspec
import pytest

from prawko.hooks.failures import AccountError
from prawko.hooks.licence_register import (
    LicenceAnswer,
    LicenceQuery,
    LicenceRegister,
    RegisterError,
    RegisterTrouble,
)

# How a server can fail, and the word for it; AccountError has no trouble: None.
FAILURES: dict[str, RegisterTrouble | None] = {
    "http_400": RegisterTrouble.REFUSED,
    "http_401": None,
    "http_403": None,
    "http_404": RegisterTrouble.UNAVAILABLE,
    "http_429": RegisterTrouble.THROTTLED,
    "http_500": RegisterTrouble.UNAVAILABLE,
    "http_503": RegisterTrouble.UNAVAILABLE,
    "refused": RegisterTrouble.UNAVAILABLE,
    "reset": RegisterTrouble.UNAVAILABLE,
    "silence": RegisterTrouble.UNAVAILABLE,
    "drip": RegisterTrouble.UNAVAILABLE,
    "html": RegisterTrouble.GARBAGE,
    "empty": RegisterTrouble.GARBAGE,
    "null": RegisterTrouble.GARBAGE,
    "object": RegisterTrouble.GARBAGE,
    "array": RegisterTrouble.GARBAGE,
    "cut": RegisterTrouble.GARBAGE,
    "wrong_types": RegisterTrouble.GARBAGE,
    "redirect": RegisterTrouble.GARBAGE,
    "huge": RegisterTrouble.GARBAGE,
    "bad_gzip": RegisterTrouble.GARBAGE,
}

Fail = Callable[[str | None], None]
"""Makes the server fail in one of the ways of FAILURES; None makes it well again."""

Asked = Callable[[], int]
"""How many requests reached the server, those that a redirect caused included."""


class RegisterContract:
    """A register answers, fails in the agreed words, and never guesses.

    Fixtures to supply:

    - `register`: the LicenceRegister, connected; the fixture closes it
    - `deadline`: the seconds it was configured to wait for one call; best below one
    - `fail`: a Fail; the server must be well when a test begins
    - `asked`: an Asked

    and as LicenceQuery, all of them known to the server but the last:

    - `issued`: state "Wydany", with a date, an authority and two categories
    - `withheld`: state "Zatrzymany", with one reason and one note
    - `expired`: state "Wydany", with a date before 2020
    - `endless`: state "Wydany", without a date
    - `strange`: the answer bears another serial
    - `unknown`: no such document
    """

    pytestmark = pytest.mark.anyio

    async def test_a_register_has_a_name_that_can_be_stored(
        self, register: LicenceRegister
    ) -> None:
        assert register.name.isidentifier()
        assert register.name == register.name.lower()

    async def test_an_issued_document_reads_as_issued(
        self, register: LicenceRegister, issued: LicenceQuery
    ) -> None:
        answer = await _answered(register, issued)

        assert answer.serial == issued.number
        assert answer.state.text == "Wydany"
        assert answer.state.code
        assert answer.issuing_authority
        assert answer.expires is not None
        assert len(answer.categories) == 2
        assert (answer.reasons, answer.notes) == ((), ())

    async def test_a_withheld_document_carries_its_reasons_and_notes(
        self, register: LicenceRegister, withheld: LicenceQuery
    ) -> None:
        answer = await _answered(register, withheld)

        assert answer.state.text == "Zatrzymany"
        assert [bool(reason.text) for reason in answer.reasons] == [True]
        assert [bool(note) for note in answer.notes] == [True]

    async def test_an_expired_document_keeps_its_state_and_its_date(
        self, register: LicenceRegister, expired: LicenceQuery
    ) -> None:
        answer = await _answered(register, expired)

        assert answer.state.text == "Wydany"
        assert answer.expires is not None
        assert answer.expires.year < 2020

    async def test_a_document_without_end_has_no_date(
        self, register: LicenceRegister, endless: LicenceQuery
    ) -> None:
        assert (await _answered(register, endless)).expires is None

    async def test_a_document_that_is_not_known_is_none(
        self, register: LicenceRegister, unknown: LicenceQuery
    ) -> None:
        assert await register.look_up(unknown) is None

    async def test_an_answer_about_another_document_is_garbage(
        self, register: LicenceRegister, strange: LicenceQuery
    ) -> None:
        with pytest.raises(RegisterError) as failure:
            await register.look_up(strange)

        assert failure.value.trouble is RegisterTrouble.GARBAGE

    async def test_the_raw_answer_is_plain_json_and_the_same_for_the_same_facts(
        self, register: LicenceRegister, withheld: LicenceQuery
    ) -> None:
        first, second = [
            msgspec.json.encode((await _answered(register, withheld)).raw) for _ in range(2)
        ]

        assert first == second
        assert msgspec.json.decode(first) == (await _answered(register, withheld)).raw

    @pytest.mark.parametrize(
        ("document", "warm"),
        [("issued", False), ("issued", True), ("unknown", False)],
        ids=["issued", "issued, on a kept connection", "unknown"],
    )
    @pytest.mark.parametrize("kind", FAILURES)
    async def test_a_failure_is_raised_in_the_agreed_word_and_never_answered(
        self,
        kind: str,
        document: str,
        warm: bool,  # noqa: FBT001
        register: LicenceRegister,
        fail: Fail,
        request: pytest.FixtureRequest,
    ) -> None:
        query: LicenceQuery = request.getfixturevalue(document)
        if warm:
            await register.look_up(query)
        fail(kind)

        with pytest.raises((RegisterError, AccountError)) as failure:
            await register.look_up(query)

        assert getattr(failure.value, "trouble", None) is FAILURES[kind]

    @pytest.mark.parametrize("kind", FAILURES)
    async def test_after_a_failure_the_next_answer_is_read(
        self, kind: str, register: LicenceRegister, issued: LicenceQuery, fail: Fail
    ) -> None:
        fail(kind)
        with pytest.raises((RegisterError, AccountError)):
            await register.look_up(issued)
        fail(None)

        assert (await _answered(register, issued)).state.text == "Wydany"

    @pytest.mark.parametrize("kind", ["http_503", "reset", "redirect", "cut", "huge"])
    async def test_a_question_is_asked_once_and_nobody_is_followed(
        self,
        kind: str,
        register: LicenceRegister,
        issued: LicenceQuery,
        fail: Fail,
        asked: Asked,
    ) -> None:
        await register.look_up(issued)
        before = asked()
        fail(kind)

        with pytest.raises(RegisterError):
            await register.look_up(issued)

        assert asked() == before + 1

    @pytest.mark.parametrize("kind", ["silence", "drip"])
    async def test_a_call_ends_with_its_deadline(
        self,
        kind: str,
        register: LicenceRegister,
        issued: LicenceQuery,
        fail: Fail,
        deadline: float,
    ) -> None:
        fail(kind)
        began = time.monotonic()

        with pytest.raises(RegisterError):
            await register.look_up(issued)

        assert deadline * 0.9 <= time.monotonic() - began <= deadline + 1

    async def test_a_slow_call_does_not_hold_up_the_others(
        self, register: LicenceRegister, issued: LicenceQuery, fail: Fail
    ) -> None:
        fail("silence")
        slow = asyncio.create_task(register.look_up(issued))
        await asyncio.sleep(0.1)
        fail(None)

        assert (await _answered(register, issued)).state.text == "Wydany"
        assert not slow.done()
        with pytest.raises(RegisterError):
            await slow

    async def test_a_cancelled_call_ends_at_once_and_leaves_the_register_usable(
        self, register: LicenceRegister, issued: LicenceQuery, fail: Fail, deadline: float
    ) -> None:
        fail("silence")
        call = asyncio.create_task(register.look_up(issued))
        await asyncio.sleep(0.05)
        began = time.monotonic()
        call.cancel()

        with pytest.raises(asyncio.CancelledError):
            await call

        assert time.monotonic() - began < deadline / 2
        fail(None)
        assert (await _answered(register, issued)).state.text == "Wydany"

    async def test_a_register_can_be_closed_before_and_after_it_was_asked(
        self, register: LicenceRegister, issued: LicenceQuery
    ) -> None:
        await register.look_up(issued)

        await register.close()
        await register.close()


async def _answered(register: LicenceRegister, query: LicenceQuery) -> LicenceAnswer:
    answer = await register.look_up(query)
    assert answer is not None, "the register says it does not know the document"
    return answer
