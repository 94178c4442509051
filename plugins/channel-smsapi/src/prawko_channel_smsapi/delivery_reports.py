"""Verifies and parses SMSAPI's delivery reports: unsigned GETs of a URL with a secret key.

A report only counts if its message id is the one that SMSAPI returned for its index.
"""

import hmac
import re
from collections.abc import Mapping
from datetime import UTC, datetime

from prawko.hooks.channels import DeliveryReport, DeliveryReportKind
from prawko.hooks.urls import parse_secure_url
from prawko.hooks.webhooks import MalformedWebhookError, WebhookRequest, WebhookVerificationError
from prawko_channel_smsapi.message_index import MAX_INDEX_LENGTH, decode_index

MIN_KEY_LENGTH = 32
MAX_MESSAGES = 100
MAX_ID_LENGTH = 100
MAX_TIME_LENGTH = 11
STATUS_PATTERN = re.compile("[0-9]{1,4}", re.ASCII)

DELIVERED = 404
# Not found, expired, undelivered, failed, rejected, unknown: this message will not arrive. The
# number may be valid all the same: a phone can be switched off for days.
NOT_DELIVERED = frozenset({401, 402, 405, 406, 407, 408})


def parse_report_key(setting: str) -> str | None:
    """Return the key in the URL that SMSAPI calls; None for any other URL."""
    url = parse_secure_url(setting)
    if url is None or url.path != "/api/webhooks/smsapi" or not setting.isascii():
        return None
    key = url.query.get("key", "")
    return key if len(key) >= MIN_KEY_LENGTH else None


def parse_reports(request: WebhookRequest, key: str) -> tuple[DeliveryReport, ...]:
    """Return the reports of one call, which may name several messages, separated by commas.

    Raises WebhookVerificationError or MalformedWebhookError.
    """
    request_key = request.query.get("key", "")
    if not hmac.compare_digest(request_key.encode(), key.encode()):
        raise WebhookVerificationError("the key is missing or wrong")
    query = request.query
    columns = [_split_values(query, name) for name in ("MsgId", "status", "idx", "donedate")]
    count = len(columns[0])
    if not 0 < count <= MAX_MESSAGES:
        raise MalformedWebhookError("no message is named, or too many")
    # The other lists may be shorter: the last messages have no value there.
    rows = zip(*(column[:count] + [""] * (count - len(column)) for column in columns), strict=True)
    reports = [
        _to_report(message_id, status, index, done, request.received_at)
        for message_id, status, index, done in rows
    ]
    return tuple(report for report in reports if report is not None)


def _split_values(query: Mapping[str, str], name: str) -> list[str]:
    return [value.strip() for value in query[name].split(",")] if query.get(name) else []


def _to_report(
    message_id: str, status: str, index: str, done: str, received_at: datetime
) -> DeliveryReport | None:
    """Return the report of one message; None if it is not ours or its status is not final."""
    if not (0 < len(message_id) <= MAX_ID_LENGTH and STATUS_PATTERN.fullmatch(status)):
        raise MalformedWebhookError("a message without an id or a status")
    kind = _report_kind(int(status))
    key = decode_index(index)
    if kind is None or not key or len(index) > MAX_INDEX_LENGTH:
        return None
    return DeliveryReport(
        event_id=f"{message_id}:{status}:{index}",  # SMSAPI has no event ids
        idempotency_key=key,
        kind=kind,
        occurred_at=_parse_instant(done, received_at),
        carrier_ref=message_id,
        reason=f"status {status}" if kind is DeliveryReportKind.FAILED else "",
    )


def _report_kind(status: int) -> DeliveryReportKind | None:
    if status == DELIVERED:
        return DeliveryReportKind.DELIVERED
    return DeliveryReportKind.FAILED if status in NOT_DELIVERED else None


def _parse_instant(done: str, default: datetime) -> datetime:
    """Parse Unix seconds; return the default for anything else."""
    if not (done.isascii() and done.isdigit() and len(done) <= MAX_TIME_LENGTH):
        return default
    return datetime.fromtimestamp(int(done), UTC)
