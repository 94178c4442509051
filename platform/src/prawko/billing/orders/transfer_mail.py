"""The mail with the transfer details of an order that is paid by bank transfer.

One for each order, rendered when it is sent; not sent if the order is not awaiting payment then.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

import msgspec
from stdnum import iban

from prawko.accounts.repository import AccountRepository
from prawko.base.clock import warsaw_date
from prawko.base.context import AppContext
from prawko.base.dates import format_date
from prawko.base.i18n import Language, translate
from prawko.base.money import format_amount
from prawko.billing.models import OrderKind, OrderState, SubscriptionOrder
from prawko.billing.orders.repository import OrderRepository
from prawko.hooks.channels import Medium, Message, Recipient
from prawko.hooks.payments import TransferInstructions
from prawko.mail.email_template import FactTable, render_email
from prawko.outbox.messages import OutboxMessage
from prawko.outbox.rendering import DueMessage, RenderedMessage
from prawko.outbox.service import enqueue_messages
from prawko.payments.repository import PaymentRepository
from prawko.payments.state_machine import UNFINISHED_STATES
from prawko.payments.types import PaymentView
from prawko_tenants.ids import DeliveryId, TenantId, UserId
from prawko_tenants.sessions import BatchSession, TenantSession

TRANSFER_MAIL = "transfer_details"
ORDER_PATH = "/panel/subscription?order={order_id}"


class Proforma(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of the mail; amounts in grosze. `text_key` names what was ordered."""

    order_id: UUID
    text_key: str
    driver_limit: int
    net: int
    vat: int
    transfer: TransferInstructions
    pay_until: str


async def enqueue_transfer_mail(session: TenantSession, user_id: UserId, order_id: UUID) -> None:
    """Enqueue the mail in the caller's transaction, once for an order.

    The caller enqueues `deliver_pending` after the commit.
    """
    mail = OutboxMessage(
        kind=TRANSFER_MAIL,
        medium=Medium.EMAIL,
        key=f"{TRANSFER_MAIL}:{order_id}",
        tenant_id=session.tenant_id,
        user_id=user_id,
        subject_id=order_id,
    )
    await enqueue_messages(session, [mail])


async def render_transfer_mails(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render the mails of orders that are still awaiting payment."""
    by_company: dict[TenantId, list[DueMessage]] = defaultdict(list)
    for mail in due:
        if mail.tenant_id is not None:
            by_company[mail.tenant_id].append(mail)
    rendered: dict[DeliveryId, RenderedMessage] = {}
    async with context.database.batch() as session:
        for tenant_id, mails in by_company.items():
            await session.switch_tenant(tenant_id)
            for mail in mails:
                message = await _render_transfer_mail(context, session, tenant_id, mail)
                if message is not None:
                    rendered[mail.id] = message
    return rendered


def build_transfer_message(
    brand: str, base_url: str, details: Proforma, language: Language
) -> Message:
    """The mail in a language."""

    def label(key: str) -> str:
        return translate(f"transfers.mail.{key}", language, brand=brand)

    transfer, link = details.transfer, f"{base_url}{ORDER_PATH.format(order_id=details.order_id)}"
    rows = (
        (label("owner"), transfer.owner),
        (label("address"), transfer.address),
        (label("iban"), format_iban(transfer.iban)),
        (label("gross"), format_amount(details.net + details.vat, language)),
        (label("title"), transfer.title),
        (label("until"), details.pay_until),
    )
    order = (
        (
            label("order"),
            translate(details.text_key, language, brand=brand, limit=details.driver_limit),
        ),
        (label("net"), format_amount(details.net, language)),
        (label("vat"), format_amount(details.vat, language)),
    )
    return render_email(
        language,
        brand,
        label("subject"),
        [
            label("text"),
            FactTable(tuple(row for row in rows if row[1])),
            label("proforma"),
            FactTable(order),
            label("invoice"),
        ],
        link=link,
        link_label=label("link"),
    )


def format_iban(number: str) -> str:
    """`PL61 1090 1014 0000 0712 1981 2874`: as people type it."""
    return str(iban.format(number))


async def _render_transfer_mail(
    context: AppContext, session: BatchSession, tenant_id: TenantId, mail: DueMessage
) -> RenderedMessage | None:
    if mail.subject_id is None or mail.user_id is None:
        return None
    order = await OrderRepository(session).get(mail.subject_id)
    stored = await PaymentRepository(session).latest_for_order(tenant_id, mail.subject_id)
    if order is None or stored is None or order.created_by != mail.user_id:  # the person has left
        return None
    profile = await AccountRepository(session).get_profile(mail.user_id)
    proforma = to_proforma(order, stored.to_view(), profile.language)
    if proforma is None:
        return None
    message = build_transfer_message(
        context.settings.brand, context.settings.base_url, proforma, profile.language
    )
    return RenderedMessage(message, Recipient(email=profile.email, phone=None))


def to_proforma(
    order: SubscriptionOrder, payment: PaymentView, language: Language
) -> Proforma | None:
    """The facts of the mail; None if the order is not awaiting a transfer any more."""
    if (
        order.state != OrderState.OPEN
        or order.superseded_by is not None
        or payment.state not in UNFINISHED_STATES
        or payment.transfer is None
        or payment.expires_at is None
    ):
        return None
    return Proforma(
        order_id=order.id,
        text_key=OrderKind(order.kind).text_key,
        driver_limit=order.driver_limit,
        net=order.net,
        vat=order.vat,
        transfer=payment.transfer,
        pay_until=format_date(warsaw_date(payment.expires_at), language),
    )
