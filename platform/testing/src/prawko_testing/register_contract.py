"""The contract of licence registers, as tests: subclass it and supply your register.

    class TestContract(RegisterContract):
        @pytest.fixture
        async def register(self) -> AsyncIterator[LicenceRegister]: ...

A register that asks a server subclasses `RemoteRegisterContract`, which makes the server fail;
`prawko_testing.loopback_server` is one that can. Needs pytest and anyio; fixtures may be async.
"""

# ruff: noqa: S101 (tests are made of assertions)

import asyncio
import re
import time
from collections.abc import Callable

import msgspec
import pytest

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import (
    LicenceAnswer,
    LicenceQuery,
    LicenceRegister,
    RegisterError,
    RegisterErrorKind,
)
from prawko_testing.open_sockets import open_sockets, wait_until_closed
from prawko_testing.plugin_calls import call_in_time
from prawko_testing.privacy import Contract, assert_not_quoted

# The failures of a server, and the kind of RegisterError; None stands for ProviderAccountError.
FAILURES: dict[str, RegisterErrorKind | None] = {
    # The server answers with this status.
    "http_400": RegisterErrorKind.INVALID_QUERY,
    "http_401": None,
    "http_403": None,
    "http_404": RegisterErrorKind.UNAVAILABLE,  # a misrouted service, not an unknown document
    "http_429": RegisterErrorKind.RATE_LIMITED,
    "http_500": RegisterErrorKind.UNAVAILABLE,
    "http_503": RegisterErrorKind.UNAVAILABLE,
    # There is no answer: no connection, a broken one, silence, one byte in a second.
    "refused": RegisterErrorKind.UNAVAILABLE,
    "reset": RegisterErrorKind.UNAVAILABLE,
    "silence": RegisterErrorKind.UNAVAILABLE,
    "drip": RegisterErrorKind.UNAVAILABLE,
    # There is an answer of status 200 that says nothing about the document: a page of HTML, no
    # bytes, `null`, `{}`, `[]`, two thirds of the right one, or numbers in place of its texts.
    "html": RegisterErrorKind.INVALID_RESPONSE,
    "empty": RegisterErrorKind.INVALID_RESPONSE,
    "null": RegisterErrorKind.INVALID_RESPONSE,
    "object": RegisterErrorKind.INVALID_RESPONSE,
    "array": RegisterErrorKind.INVALID_RESPONSE,
    "cut": RegisterErrorKind.INVALID_RESPONSE,
    "wrong_types": RegisterErrorKind.INVALID_RESPONSE,
    # It sends us elsewhere, never ends (five megabytes), or is compressed and cut short.
    "redirect": RegisterErrorKind.INVALID_RESPONSE,
    "huge": RegisterErrorKind.INVALID_RESPONSE,
    "bad_gzip": RegisterErrorKind.INVALID_RESPONSE,
}

FailureInjector = Callable[[str | None], None]
"""Makes the server fail in one of the ways of FAILURES; None makes it work again."""

RequestCounter = Callable[[], int]
"""Returns how many requests reached the server, including those that followed a redirect."""


class RegisterContract(Contract):
    """The contract of a register that reads a server, a file or a database.

    Fixtures to supply:

    - `register`: the LicenceRegister, connected; the fixture closes it
    - `unavailable_register`: one whose server, file or database is away

    and as LicenceQuery, all of them known to the register but the last:

    - `issued`: state "Wydany", with a date, an authority and two categories
    - `withheld`: state "Zatrzymany", with one reason and one note
    - `expired`: state "Wydany", with a date before 2020
    - `without_expiry`: state "Wydany", without a date
    - `unknown`: no such document
    """

    async def test_a_register_has_a_name_that_can_be_stored(
        self, register: LicenceRegister
    ) -> None:
        assert re.fullmatch("[a-z0-9][a-z0-9_-]{0,39}", register.name)

    async def test_an_issued_document_reads_as_issued(
        self, register: LicenceRegister, issued: LicenceQuery
    ) -> None:
        answer = await _look_up_known(register, issued)

        assert answer.number == issued.number
        assert answer.state.text == "Wydany"
        assert answer.issuing_authority
        assert answer.expires is not None
        assert len(answer.categories) == 2
        assert (answer.reasons, answer.notes) == ((), ())

    async def test_a_withheld_document_carries_its_reasons_and_notes(
        self, register: LicenceRegister, withheld: LicenceQuery
    ) -> None:
        answer = await _look_up_known(register, withheld)

        assert answer.state.text == "Zatrzymany"
        assert [bool(reason.text) for reason in answer.reasons] == [True]
        assert [bool(note) for note in answer.notes] == [True]

    async def test_an_expired_document_keeps_its_state_and_its_date(
        self, register: LicenceRegister, expired: LicenceQuery
    ) -> None:
        answer = await _look_up_known(register, expired)

        assert answer.state.text == "Wydany"
        assert answer.expires is not None
        assert answer.expires.year < 2020

    async def test_a_document_without_expiry_has_no_date(
        self, register: LicenceRegister, without_expiry: LicenceQuery
    ) -> None:
        assert (await _look_up_known(register, without_expiry)).expires is None

    async def test_an_unknown_document_is_none(
        self, register: LicenceRegister, unknown: LicenceQuery
    ) -> None:
        assert await call_in_time(register.look_up, unknown) is None

    async def test_the_raw_answer_is_plain_json_and_the_same_for_the_same_facts(
        self, register: LicenceRegister, withheld: LicenceQuery
    ) -> None:
        first, second = [
            msgspec.json.encode((await _look_up_known(register, withheld)).raw) for _ in range(2)
        ]

        assert first == second
        assert msgspec.json.decode(first) == (await _look_up_known(register, withheld)).raw

    async def test_a_register_that_is_away_says_nothing_about_a_driver(
        self,
        unavailable_register: LicenceRegister,
        issued: LicenceQuery,
        unknown: LicenceQuery,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        for query in (issued, unknown):
            with pytest.raises(RegisterError) as failure:
                await call_in_time(unavailable_register.look_up, query)
            assert failure.value.kind is RegisterErrorKind.UNAVAILABLE
            assert str(failure.value).strip(), "operators are shown the error's text"
            _assert_discreet(query, caplog, failure.value)

    async def test_the_log_names_no_driver(
        self,
        register: LicenceRegister,
        withheld: LicenceQuery,
        unknown: LicenceQuery,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        for query in (withheld, unknown):
            await call_in_time(register.look_up, query)
            _assert_discreet(query, caplog)

    async def test_queries_can_be_made_concurrently(
        self, register: LicenceRegister, issued: LicenceQuery, withheld: LicenceQuery
    ) -> None:
        queries = [issued, withheld] * 4
        answers = await asyncio.gather(
            *(call_in_time(register.look_up, query) for query in queries)
        )

        assert [answer and answer.number for answer in answers] == [one.number for one in queries]

    async def test_a_register_can_be_closed_twice(
        self, register: LicenceRegister, issued: LicenceQuery
    ) -> None:
        await call_in_time(register.look_up, issued)

        await call_in_time(register.close)
        await call_in_time(register.close)

    async def test_closing_leaves_no_connection_open(
        self, register: LicenceRegister, issued: LicenceQuery
    ) -> None:
        before = open_sockets()
        await call_in_time(register.look_up, issued)
        await call_in_time(register.close)

        assert await wait_until_closed(before) == set()


class RemoteRegisterContract(RegisterContract):
    """The contract of a register that asks a server over HTTP.

    Further fixtures to supply:

    - `deadline`: the register's configured deadline for one call in seconds; preferably below one
    - `inject_failure`: a FailureInjector; the server must work when a test begins
    - `request_count`: a RequestCounter
    - `mismatched`: a LicenceQuery whose answer is about another document

    A query may end `deadline_slack` seconds after its deadline; raise it for busy machines.
    """

    deadline_slack = 1.0

    @pytest.fixture
    def unavailable_register(
        self, register: LicenceRegister, inject_failure: FailureInjector
    ) -> LicenceRegister:
        """The same register, whose server refuses connections."""
        inject_failure("refused")
        return register

    async def test_an_answer_about_another_document_is_invalid(
        self,
        register: LicenceRegister,
        mismatched: LicenceQuery,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        with pytest.raises(RegisterError) as failure:
            await call_in_time(register.look_up, mismatched)

        assert failure.value.kind is RegisterErrorKind.INVALID_RESPONSE
        _assert_discreet(mismatched, caplog, failure.value)

    @pytest.mark.parametrize(
        ("document", "warm"),
        [("issued", False), ("issued", True), ("unknown", False)],
        ids=["issued", "issued, on a reused connection", "unknown"],
    )
    @pytest.mark.parametrize("kind", FAILURES)
    async def test_each_failure_raises_its_kind_of_error(
        self,
        kind: str,
        document: str,
        warm: bool,  # noqa: FBT001
        register: LicenceRegister,
        inject_failure: FailureInjector,
        request: pytest.FixtureRequest,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        query: LicenceQuery = request.getfixturevalue(document)
        if warm:
            await call_in_time(register.look_up, query)
        inject_failure(kind)

        with pytest.raises((RegisterError, ProviderAccountError)) as failure:
            await call_in_time(register.look_up, query)

        assert getattr(failure.value, "kind", None) is FAILURES[kind]
        _assert_discreet(query, caplog, failure.value)

    @pytest.mark.parametrize("kind", FAILURES)
    async def test_a_query_succeeds_after_a_failure(
        self,
        kind: str,
        register: LicenceRegister,
        issued: LicenceQuery,
        inject_failure: FailureInjector,
    ) -> None:
        inject_failure(kind)
        with pytest.raises((RegisterError, ProviderAccountError)):
            await call_in_time(register.look_up, issued)
        inject_failure(None)

        assert (await _look_up_known(register, issued)).state.text == "Wydany"

    @pytest.mark.parametrize("kind", ["http_503", "reset", "redirect", "cut", "huge"])
    async def test_a_query_is_one_request_without_retries_and_redirects(
        self,
        kind: str,
        register: LicenceRegister,
        issued: LicenceQuery,
        inject_failure: FailureInjector,
        request_count: RequestCounter,
    ) -> None:
        await call_in_time(register.look_up, issued)
        before = request_count()
        inject_failure(kind)

        with pytest.raises(RegisterError):
            await call_in_time(register.look_up, issued)

        assert request_count() == before + 1

    @pytest.mark.parametrize("kind", ["silence", "drip"])
    async def test_a_query_ends_at_its_deadline(
        self,
        kind: str,
        register: LicenceRegister,
        issued: LicenceQuery,
        inject_failure: FailureInjector,
        deadline: float,
    ) -> None:
        inject_failure(kind)
        started_at = time.monotonic()

        with pytest.raises(RegisterError):
            await call_in_time(register.look_up, issued)

        assert deadline * 0.9 <= time.monotonic() - started_at <= deadline + self.deadline_slack

    async def test_a_slow_query_does_not_block_others(
        self,
        register: LicenceRegister,
        issued: LicenceQuery,
        inject_failure: FailureInjector,
        request_count: RequestCounter,
    ) -> None:
        before = request_count()
        inject_failure("silence")
        slow = asyncio.create_task(call_in_time(register.look_up, issued))
        while request_count() == before and not slow.done():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        inject_failure(None)

        assert (await _look_up_known(register, issued)).state.text == "Wydany"
        assert not slow.done()
        slow.cancel()
        await asyncio.wait({slow})

    async def test_a_query_can_be_cancelled_and_the_register_used_again(
        self,
        register: LicenceRegister,
        issued: LicenceQuery,
        inject_failure: FailureInjector,
        deadline: float,
    ) -> None:
        inject_failure("silence")
        query = asyncio.create_task(call_in_time(register.look_up, issued))
        await asyncio.sleep(0.05)
        started_at = time.monotonic()
        query.cancel()

        with pytest.raises(asyncio.CancelledError):
            await query

        assert time.monotonic() - started_at < deadline / 2
        inject_failure(None)
        assert (await _look_up_known(register, issued)).state.text == "Wydany"


def _assert_discreet(
    query: LicenceQuery, caplog: pytest.LogCaptureFixture, error: Exception | None = None
) -> None:
    """Fail if an error or the log contains the driver's last name or the licence number."""
    assert_not_quoted([query.last_name, query.number], caplog, error)


async def _look_up_known(register: LicenceRegister, query: LicenceQuery) -> LicenceAnswer:
    answer = await call_in_time(register.look_up, query)
    assert answer is not None, "the register does not know the document"
    return answer
