"""The mail with what to pay, where to and under which title: for who ordered by bank transfer.

One for each order. Written when it leaves; an order that waits for no money any more has none.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

import msgspec

from prawko.accounts.repository import AccountRepository
from prawko.base.clock import warsaw_day
from prawko.base.jobs import Tools
from prawko.base.texts import Language, say
from prawko.billing.models import SubscriptionOrder
from prawko.billing.order_repository import OrderRepository
from prawko.billing.orders import OrderKind, OrderState
from prawko.deliveries.composing import Due, Message
from prawko.deliveries.dates import day
from prawko.deliveries.letter import Facts, letter
from prawko.deliveries.outbox import Order, enqueue
from prawko.hooks.channels import Medium, Notice, Recipient
from prawko.hooks.payments import Transfer
from prawko.notifications.phrases import amount
from prawko.payments.purchase import PaymentView
from prawko.payments.repository import PaymentRepository
from prawko.payments.settling import UNFINISHED
from prawko_tenants.ids import DeliveryId, TenantId, UserId
from prawko_tenants.sessions import BatchSession, TenantSession

TRANSFER_MAIL = "transfer_details"
PAGE = "/panel/subscription?order={order_id}"
_GROUP = 4


class Proforma(msgspec.Struct, frozen=True, kw_only=True):
    """What the mail says; amounts in grosze. `what` is the key of what was ordered."""

    order_id: UUID
    what: str
    limit: int
    net: int
    vat: int
    transfer: Transfer
    pay_until: str


async def order_transfer_mail(session: TenantSession, user_id: UserId, order_id: UUID) -> None:
    """Order the mail in the caller's transaction, once for an order; ring `deliver_pending`."""
    mail = Order(
        kind=TRANSFER_MAIL,
        medium=Medium.EMAIL,
        key=f"{TRANSFER_MAIL}:{order_id}",
        tenant_id=session.tenant_id,
        user_id=user_id,
        subject_id=order_id,
    )
    await enqueue(session, [mail])


async def compose_transfer_mails(tools: Tools, due: Sequence[Due]) -> Mapping[DeliveryId, Message]:
    """Write the mails of orders that still wait for their money."""
    by_company: dict[TenantId, list[Due]] = defaultdict(list)
    for one in due:
        if one.tenant_id is not None:
            by_company[one.tenant_id].append(one)
    written: dict[DeliveryId, Message] = {}
    async with tools.database.batch() as session:
        for tenant_id, mails in by_company.items():
            await session.bind(tenant_id)
            for mail in mails:
                message = await _message(tools, session, tenant_id, mail)
                if message is not None:
                    written[mail.id] = message
    return written


def transfer_mail(brand: str, base_url: str, about: Proforma, language: Language) -> Notice:
    """The words, in the language of who ordered."""

    def word(key: str) -> str:
        return say(f"transfers.mail.{key}", language, brand=brand)

    told, link = about.transfer, f"{base_url}{PAGE.format(order_id=about.order_id)}"
    rows = (
        (word("owner"), told.owner),
        (word("address"), told.address),
        (word("iban"), grouped(told.iban)),
        (word("gross"), amount(about.net + about.vat, language)),
        (word("title"), told.title),
        (word("until"), about.pay_until),
    )
    order = (
        (word("order"), say(about.what, language, brand=brand, limit=about.limit)),
        (word("net"), amount(about.net, language)),
        (word("vat"), amount(about.vat, language)),
    )
    return letter(
        language,
        brand,
        word("subject"),
        [
            word("text"),
            Facts(tuple(row for row in rows if row[1])),
            word("proforma"),
            Facts(order),
            word("invoice"),
        ],
        link=link,
        link_label=word("link"),
    )


def grouped(iban: str) -> str:
    """`PL61 1090 1014 0000 0712 1981 2874`: as people type it."""
    return " ".join(iban[place : place + _GROUP] for place in range(0, len(iban), _GROUP))


async def _message(
    tools: Tools, session: BatchSession, tenant_id: TenantId, mail: Due
) -> Message | None:
    if mail.subject_id is None or mail.user_id is None:
        return None
    order = await OrderRepository(session).get(mail.subject_id)
    stored = await PaymentRepository(session).of_order(tenant_id, mail.subject_id)
    if order is None or stored is None or order.created_by != mail.user_id:  # who ordered left
        return None
    profile = await AccountRepository(session).profile(mail.user_id)
    about = proforma(order, stored.view(), profile.language)
    if about is None:
        return None
    notice = transfer_mail(tools.settings.brand, tools.settings.base_url, about, profile.language)
    return Message(notice, Recipient(email=profile.email, phone=None))


def proforma(order: SubscriptionOrder, payment: PaymentView, language: Language) -> Proforma | None:
    """What is to be paid; None where no transfer is waited for, or another order instead."""
    if (
        order.state != OrderState.OPEN
        or order.superseded_by is not None
        or payment.state not in UNFINISHED
        or payment.transfer is None
        or payment.open_until is None
    ):
        return None
    return Proforma(
        order_id=order.id,
        what="billing.order." + ("upgrade" if order.kind == OrderKind.UPGRADE else "period"),
        limit=order.driver_limit,
        net=order.net,
        vat=order.vat,
        transfer=payment.transfer,
        pay_until=day(warsaw_day(payment.open_until), language),
    )
