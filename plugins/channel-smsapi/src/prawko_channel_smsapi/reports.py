"""SMSAPI's delivery report: a GET that carries no signature, to an address only it knows.

What it says is believed of messages whose index and id belong together, and of no others.
"""

import hmac
import re
from collections.abc import Mapping
from datetime import UTC, datetime

from yarl import URL

from prawko.hooks.callbacks import Callback, ForgedCallbackError, GarbledCallbackError
from prawko.hooks.carrier_connection import is_safe
from prawko.hooks.channels import Report, ReportKind
from prawko_channel_smsapi.index import LONGEST, key_of

SHORTEST_KEY = 32
MOST = 100
LONGEST_ID = 100
LONGEST_TIME = 11
STATUS = re.compile("[0-9]{1,4}", re.ASCII)

DELIVERED = 404
# Not found, expired, undelivered, failed, rejected, unknown: this message will not arrive. The
# number may be good all the same, for a telephone can be off for days.
NOT_DELIVERED = frozenset({401, 402, 405, 406, 407, 408})


def report_key(address: str) -> str | None:
    """The key in the address that SMSAPI calls; None when it cannot be such an address."""
    try:
        url = URL(address)
    except ValueError:
        return None
    key = url.query.get("key", "")
    if not is_safe(url) or url.path != "/api/webhooks/smsapi" or len(key) < SHORTEST_KEY:
        return None
    return key if address.isascii() else None


def read_reports(callback: Callback, key: str) -> tuple[Report, ...]:
    """What became of our messages. Several come in one call, as lists with commas."""
    given = callback.query.get("key", "")
    if not hmac.compare_digest(given.encode(), key.encode()):
        raise ForgedCallbackError("the key is missing or wrong")
    query = callback.query
    columns = [_listed(query, name) for name in ("MsgId", "status", "idx", "donedate")]
    named = len(columns[0])
    if not 0 < named <= MOST:
        raise GarbledCallbackError("no message is named, or too many")
    # Fewer of the others than messages: the last ones have none.
    rows = zip(*(column[:named] + [""] * (named - len(column)) for column in columns), strict=True)
    reports = [
        _report(message_id, status, index, done, callback.received_at)
        for message_id, status, index, done in rows
    ]
    return tuple(report for report in reports if report is not None)


def _listed(query: Mapping[str, str], name: str) -> list[str]:
    return [value.strip() for value in query[name].split(",")] if query.get(name) else []


def _report(
    message_id: str, status: str, index: str, done: str, received_at: datetime
) -> Report | None:
    """What one message's values say; None when they say nothing of a message of ours."""
    if not (0 < len(message_id) <= LONGEST_ID and STATUS.fullmatch(status)):
        raise GarbledCallbackError("a message without an id or a status")
    kind = _kind(int(status))
    key = key_of(index)
    if kind is None or not key or len(index) > LONGEST:
        return None
    return Report(
        event_id=f"{message_id}:{status}:{index}",  # SMSAPI numbers no events
        key=key,
        kind=kind,
        at=_instant(done, received_at),
        carrier_ref=message_id,
        reason=f"status {status}" if kind is ReportKind.FAILED else "",
    )


def _kind(status: int) -> ReportKind | None:
    if status == DELIVERED:
        return ReportKind.DELIVERED
    return ReportKind.FAILED if status in NOT_DELIVERED else None


def _instant(done: str, otherwise: datetime) -> datetime:
    """When it happened, in Unix seconds; else when we heard of it."""
    if not (done.isascii() and done.isdigit() and len(done) <= LONGEST_TIME):
        return otherwise
    return datetime.fromtimestamp(int(done), UTC)
