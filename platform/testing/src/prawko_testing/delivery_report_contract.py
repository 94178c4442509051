"""The contract of channels that parse delivery reports, as tests: subclass it.

    class TestReports(DeliveryReportContract):
        @pytest.fixture
        def channel(self) -> MyReportingChannel: ...

        @pytest.fixture
        def valid_request(self) -> WebhookRequest: ...

Needs pytest.
"""

# ruff: noqa: S101 (tests are made of assertions)

import inspect
from datetime import UTC

import msgspec
import pytest

from prawko.hooks.channels import DeliveryReportKind, ReportingChannel
from prawko.hooks.webhooks import (
    MAX_EVENT_ID_LENGTH,
    MalformedWebhookError,
    WebhookRequest,
    WebhookVerificationError,
)
from prawko_testing.plugin_calls import call_plain


class DeliveryReportContract:
    """The contract of a reporting channel; supply the fixtures that raise NotImplementedError."""

    @pytest.fixture
    def channel(self) -> ReportingChannel:
        """A channel that can verify its carrier's webhooks."""
        raise NotImplementedError

    @pytest.fixture
    def valid_request(self) -> WebhookRequest:
        """A webhook that reports two messages as delivered, with the keys below."""
        raise NotImplementedError

    @pytest.fixture
    def keys(self) -> set[str]:
        """The idempotency keys of the two messages."""
        return {"contract:one", "contract:two"}

    @pytest.fixture
    def forged_requests(self) -> list[WebhookRequest]:
        """Webhooks that are unsigned, signed with another key, modified, or too old."""
        raise NotImplementedError

    @pytest.fixture
    def malformed_requests(self) -> list[WebhookRequest]:
        """Verified webhooks that cannot be parsed."""
        raise NotImplementedError

    @pytest.fixture
    def ignored_requests(self) -> list[WebhookRequest]:
        """Verified webhooks without a report about a message of ours."""
        raise NotImplementedError

    def test_it_is_a_reporting_channel(self, channel: ReportingChannel) -> None:
        assert isinstance(channel, ReportingChannel)
        assert not inspect.iscoroutinefunction(channel.parse_webhook)

    def test_a_valid_webhook_reports_our_messages(
        self, channel: ReportingChannel, valid_request: WebhookRequest, keys: set[str]
    ) -> None:
        reports = call_plain(channel.parse_webhook, valid_request)

        assert {report.idempotency_key for report in reports} == keys
        assert {report.kind for report in reports} == {DeliveryReportKind.DELIVERED}
        assert len({report.event_id for report in reports}) == len(keys)
        assert all(0 < len(report.event_id) <= MAX_EVENT_ID_LENGTH for report in reports)
        assert all(report.occurred_at.tzinfo is UTC for report in reports)

    def test_the_same_webhook_gives_the_same_reports(
        self, channel: ReportingChannel, valid_request: WebhookRequest
    ) -> None:
        copy = msgspec.structs.replace(valid_request)

        assert call_plain(channel.parse_webhook, valid_request) == call_plain(
            channel.parse_webhook, copy
        )

    def test_a_forged_webhook_is_refused(
        self, channel: ReportingChannel, forged_requests: list[WebhookRequest]
    ) -> None:
        assert forged_requests
        for number, request in enumerate(forged_requests):
            with pytest.raises(WebhookVerificationError):
                pytest.fail(
                    f"request {number} was parsed as {call_plain(channel.parse_webhook, request)}"
                )

    def test_a_malformed_webhook_is_refused(
        self, channel: ReportingChannel, malformed_requests: list[WebhookRequest]
    ) -> None:
        assert malformed_requests
        for number, request in enumerate(malformed_requests):
            with pytest.raises(MalformedWebhookError):
                pytest.fail(
                    f"request {number} was parsed as {call_plain(channel.parse_webhook, request)}"
                )

    def test_a_webhook_about_nothing_of_ours_is_ignored(
        self, channel: ReportingChannel, ignored_requests: list[WebhookRequest]
    ) -> None:
        assert ignored_requests
        assert [call_plain(channel.parse_webhook, request) for request in ignored_requests] == [
            () for _ in ignored_requests
        ]
