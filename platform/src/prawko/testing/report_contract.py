"""What every channel that reads reports promises, as tests: subclass it beside its contract.

    class TestReports(ReportContract):
        @pytest.fixture
        def channel(self) -> MyReportingChannel: ...

        @pytest.fixture
        def genuine(self) -> Callback: ...

Needs pytest.
"""

# ruff: noqa: S101 (tests are made of assertions)

import inspect
from datetime import UTC

import msgspec
import pytest

from prawko.hooks.callbacks import Callback, ForgedCallbackError, GarbledCallbackError
from prawko.hooks.channels import ReportingChannel, ReportKind

LONGEST = 400


class ReportContract:
    """Promises that every channel keeps when its carrier calls."""

    @pytest.fixture
    def channel(self) -> ReportingChannel:
        """A channel that knows its carrier's hand."""
        raise NotImplementedError

    @pytest.fixture
    def genuine(self) -> Callback:
        """A call of the carrier that reports two messages delivered, with the keys below."""
        raise NotImplementedError

    @pytest.fixture
    def keys(self) -> set[str]:
        """The keys of the two messages."""
        return {"contract:one", "contract:two"}

    @pytest.fixture
    def forged(self) -> list[Callback]:
        """Calls of somebody else: unsigned, signed with another key, changed on the way, old."""
        raise NotImplementedError

    @pytest.fixture
    def garbled(self) -> list[Callback]:
        """Calls of the carrier that cannot be read."""
        raise NotImplementedError

    @pytest.fixture
    def of_no_interest(self) -> list[Callback]:
        """Calls of the carrier that say nothing of what became of a message of ours."""
        raise NotImplementedError

    def test_it_is_a_channel_that_reports(self, channel: ReportingChannel) -> None:
        assert isinstance(channel, ReportingChannel)
        assert not inspect.iscoroutinefunction(channel.read_reports)

    def test_it_reads_what_became_of_our_messages(
        self, channel: ReportingChannel, genuine: Callback, keys: set[str]
    ) -> None:
        reports = channel.read_reports(genuine)

        assert {report.key for report in reports} == keys
        assert {report.kind for report in reports} == {ReportKind.DELIVERED}
        assert len({report.event_id for report in reports}) == len(keys)
        assert all(0 < len(report.event_id) <= LONGEST for report in reports)
        assert all(report.at.tzinfo is UTC for report in reports)

    def test_the_same_call_is_read_the_same(
        self, channel: ReportingChannel, genuine: Callback
    ) -> None:
        again = msgspec.structs.replace(genuine)

        assert channel.read_reports(genuine) == channel.read_reports(again)

    def test_it_believes_nobody_else(
        self, channel: ReportingChannel, forged: list[Callback]
    ) -> None:
        assert forged
        for number, callback in enumerate(forged):
            with pytest.raises(ForgedCallbackError):
                pytest.fail(f"number {number} was read as {channel.read_reports(callback)}")

    def test_it_says_what_it_cannot_read(
        self, channel: ReportingChannel, garbled: list[Callback]
    ) -> None:
        assert garbled
        for number, callback in enumerate(garbled):
            with pytest.raises(GarbledCallbackError):
                pytest.fail(f"number {number} was read as {channel.read_reports(callback)}")

    def test_it_leaves_out_what_is_not_ours(
        self, channel: ReportingChannel, of_no_interest: list[Callback]
    ) -> None:
        assert of_no_interest
        assert [channel.read_reports(callback) for callback in of_no_interest] == [
            () for _ in of_no_interest
        ]
