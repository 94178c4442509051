"""Records lines of the bank statement as events of a manual provider.

The job that processes webhooks compares the amount with the order's. The title is not stored,
because its author may have put any personal data into it.
"""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from prawko.hooks.payments import (
    ManualProvider,
    Money,
    PaymentEvent,
    PaymentEventKind,
    PaymentRef,
    is_valid_currency,
    is_valid_reference,
)
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.observability import logs
from prawko.kit.providers.calls import PluginFaultError, call_plugin, describe_error
from prawko.kit.text.letters import normalise_line, normalise_typed
from prawko.kit.webhooks.repository import NewEvent, WebhookEventRepository
from prawko.payments.available_methods import configured_providers
from prawko.payments.errors import InvalidTransferError, ManualPaymentsUnavailableError
from prawko.payments.provider_calls import get_provider_experience
from prawko.payments.schemas import (
    MAX_GROSZE,
    MAX_REFERENCE_LENGTH,
    MAX_TITLE_LENGTH,
    StatementLineIn,
)
from prawko_tenants.sessions import SystemSession

log = logs.get_logger(__name__)

NO_REFERENCE = ""  # matches no payment, so that operators get a discrepancy


class RecordResult(StrEnum):
    """The result of recording a line; its message is the text `transfers.<result>`."""

    RECORDED = "recorded"
    UNMATCHED = "unmatched"  # stored, and reported as a discrepancy
    DUPLICATE = "duplicate"


class StatementLine(msgspec.Struct, frozen=True, kw_only=True):
    """A valid line of the bank statement; `reference` is the bank's own id of it."""

    title: str
    money: Money
    reference: str


def parse_line(data: StatementLineIn) -> StatementLine:
    """Validate a line. Raises InvalidTransferError with a text for each invalid field."""
    reference, title = normalise_typed(data.reference), normalise_line(data.title)
    fields = {}
    if not 0 < len(title) <= MAX_TITLE_LENGTH:
        fields["title"] = "transfers.title"
    if data.amount is None or not 0 < data.amount <= MAX_GROSZE:
        fields["amount"] = "transfers.amount"
    if not is_valid_currency(data.currency):
        fields["currency"] = "transfers.currency"
    if not 0 < len(reference) <= MAX_REFERENCE_LENGTH or not reference.isprintable():
        fields["reference"] = "transfers.reference"
    if fields or data.amount is None:
        raise InvalidTransferError(fields=fields, most=MAX_REFERENCE_LENGTH)
    return StatementLine(title=title, money=Money(data.amount, data.currency), reference=reference)


async def record_transfer(
    context: AppContext, session: SystemSession, line: StatementLine
) -> RecordResult:
    """Store a line for the provider that recognises its title, once per bank's reference.

    Raises ManualPaymentsUnavailableError.
    """
    provider, reference = match_title(context, manual_providers(context), line.title)
    event = PaymentEvent(
        event_id=transfer_event_id(line.reference),
        kind=PaymentEventKind.PAID,
        ref=PaymentRef(reference, line.reference),
        occurred_at=utc_now(),
        money=line.money,
    )
    new_event = NewEvent(event.event_id, msgspec.json.encode(event))
    inserted = await WebhookEventRepository(session).insert(
        provider.name, [new_event], context.key_ring, utc_now()
    )
    if not inserted:
        return RecordResult.DUPLICATE
    return RecordResult.RECORDED if reference else RecordResult.UNMATCHED


def match_title(
    context: AppContext, providers: Sequence[ManualProvider], title: str
) -> tuple[ManualProvider, str]:
    """Return the provider that recognises a title, and the reference in it.

    The first provider and NO_REFERENCE if none does; the first of them if several do.
    """
    for provider in providers:
        reference = _extract_reference(context, provider, title)
        if reference is not None:
            return provider, reference
    return providers[0], NO_REFERENCE


def _extract_reference(context: AppContext, provider: ManualProvider, title: str) -> str | None:
    """Return the reference that a title names; None also if the plugin fails over it."""

    def extract() -> str | None:
        reference: object = provider.extract_reference(title)
        is_valid = isinstance(reference, str) and is_valid_reference(reference)
        return str.__str__(reference) if is_valid else None

    plugin = get_provider_experience(context, provider)
    try:
        return call_plugin(plugin, extract)
    except PluginFaultError as fault:
        log.exception("plugin_failed", plugin=plugin.name, reason=describe_error(fault))
        return None


def transfer_event_id(reference: str) -> str:
    """Return the id under which a line with this reference is stored once."""
    return f"transfer:{reference}"


def manual_providers(context: AppContext) -> list[ManualProvider]:
    """Return the manual providers, configured ones first; others may still get late payments.

    Raises ManualPaymentsUnavailableError if there are none.
    """
    loaded = context.plugins.payments.values()
    providers = dict.fromkeys([*configured_providers(context), *loaded])
    manual = [provider for provider in providers if isinstance(provider, ManualProvider)]
    if not manual:
        raise ManualPaymentsUnavailableError
    return manual
