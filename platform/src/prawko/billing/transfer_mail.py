"""The mail with the transfer details of an order that is paid by bank transfer.

One for each order, rendered when it is sent; not sent if the order is not awaiting payment then.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from stdnum import iban

from prawko.accounts.repository import AccountRepository
from prawko.billing.models import OrderKind, OrderState, SubscriptionOrder
from prawko.billing.repository import OrderRepository
from prawko.hooks.channels import Medium, Message, Recipient
from prawko.kit.clock import warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.dates import format_date
from prawko.kit.documents.email_template import FactTable, panel_url, render_email
from prawko.kit.money import format_amount
from prawko.kit.outbox.models import OutboxMessage
from prawko.kit.outbox.rendering import DueMessage, RenderedMessage, group_by_tenant
from prawko.kit.outbox.service import enqueue_messages
from prawko.kit.settings import Settings
from prawko.kit.text.i18n import Language, translate
from prawko.payments.models import Payment
from prawko.payments.repository import PaymentRepository
from prawko.payments.state_machine import UNFINISHED_STATES
from prawko_tenants.ids import DeliveryId, TenantId, UserId
from prawko_tenants.sessions import BatchSession, TenantSession

TRANSFER_MAIL = "transfer_details"
ORDER_PATH = "/panel/subscription?order={order_id}"


async def enqueue_transfer_mail(session: TenantSession, user_id: UserId, order_id: UUID) -> None:
    """Enqueue the mail in the caller's transaction, once for an order."""
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
    rendered: dict[DeliveryId, RenderedMessage] = {}
    async with context.database.batch() as session:
        for tenant_id, mails in group_by_tenant(due).items():
            await session.switch_tenant(tenant_id)
            for mail in mails:
                message = await _render_transfer_mail(context, session, tenant_id, mail)
                if message is not None:
                    rendered[mail.id] = message
    return rendered


def build_transfer_message(
    settings: Settings, order: SubscriptionOrder, payment: Payment, language: Language
) -> Message | None:
    """The mail in a language; None if the order is not awaiting a transfer any more."""
    transfer, expires_at = payment.transfer, payment.expires_at
    if order.state != OrderState.OPEN or order.superseded_by is not None:
        return None
    if payment.state not in UNFINISHED_STATES or transfer is None or expires_at is None:
        return None
    brand = settings.brand

    def label(key: str) -> str:
        return translate(f"transfers.mail.{key}", language, brand=brand)

    ordered = translate(
        OrderKind(order.kind).text_key, language, brand=brand, limit=order.driver_limit
    )
    rows = (
        (label("owner"), transfer.owner),
        (label("address"), transfer.address),
        (label("iban"), format_iban(transfer.iban)),
        (label("gross"), format_amount(order.net + order.vat)),
        (label("title"), transfer.title),
        (label("until"), format_date(warsaw_date(expires_at))),
    )
    proforma = (
        (label("order"), ordered),
        (label("net"), format_amount(order.net)),
        (label("vat"), format_amount(order.vat)),
    )
    return render_email(
        language,
        brand,
        label("subject"),
        [
            label("text"),
            FactTable(tuple(row for row in rows if row[1])),
            label("proforma"),
            FactTable(proforma),
            label("invoice"),
        ],
        link=panel_url(settings.base_url, ORDER_PATH.format(order_id=order.id)),
        link_label=label("link"),
        contact=settings.operator_contact_email,
    )


def format_iban(number: str) -> str:
    """The number in groups, as people type it: `PL61 1090 1014 0000 0712 1981 2874`."""
    return str(iban.format(number))


async def _render_transfer_mail(
    context: AppContext, session: BatchSession, tenant_id: TenantId, mail: DueMessage
) -> RenderedMessage | None:
    if mail.subject_id is None or mail.user_id is None:
        return None
    order = await OrderRepository(session).get(mail.subject_id)
    payment = await PaymentRepository(session).latest_for_order(tenant_id, mail.subject_id)
    if order is None or payment is None or order.created_by != mail.user_id:  # the person has left
        return None
    profile = await AccountRepository(session).get(mail.user_id)
    language = profile.language
    message = build_transfer_message(context.settings, order, payment, language)
    if message is None:
        return None
    return RenderedMessage(message, Recipient(email=profile.email, phone=None))
