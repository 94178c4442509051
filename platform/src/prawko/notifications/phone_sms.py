"""The SMS that carries a code: ordered with the code, written when it is sent.

It is the one SMS that goes to a number nobody has proved yet. The code is stored hashed; with
its number it travels sealed in the delivery's row.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.identity import Identity
from prawko.base.jobs import Tools
from prawko.base.secrets import Vault
from prawko.base.texts import Language, say
from prawko.deliveries.composing import Due, Message
from prawko.deliveries.letter import letter
from prawko.deliveries.outbox import Order, enqueue
from prawko.hooks.channels import Medium, Recipient
from prawko.notifications.phone_repository import PhoneRepository
from prawko.notifications.plain import one_part
from prawko_tenants.ids import DeliveryId

PHONE_CODE = "phone_code"


async def order_code(
    session: AsyncSession, vault: Vault, who: Identity, code_id: UUID, number: str, code: str
) -> None:
    """Put the code's SMS into the outbox; it waits for no morning."""
    order = Order(
        kind=PHONE_CODE,
        medium=Medium.SMS,
        key=f"{PHONE_CODE}:{code_id}",
        tenant_id=who.tenant_id,
        user_id=who.user_id,
        subject_id=code_id,
    )
    await enqueue(session, [order.carrying(f"{number} {code}", vault)])


async def compose_phone_codes(tools: Tools, due: Sequence[Due]) -> Mapping[DeliveryId, Message]:
    """Write the SMS of codes that still count, to the number each was made for."""
    async with tools.database.system() as session:
        wanted = await PhoneRepository(session).wanted(
            [one.subject_id for one in due], tools.clock.now()
        )
    written: dict[DeliveryId, Message] = {}
    for one in due:
        if one.secret is None or one.subject_id not in wanted:
            continue
        number, _, code = one.secret.partition(" ")
        if wanted[one.subject_id].phone_number == number:
            language = wanted[one.subject_id].language
            written[one.id] = _sms(tools.settings.brand, language, number, code)
    return written


def _sms(brand: str, language: Language, number: str, code: str) -> Message:
    notice = letter(
        language,
        brand,
        say("phone.sms.title", language),
        [say("phone.sms.text", language, brand=brand)],
        line=one_part(
            lambda words: say("phone.sms.line", language, code=code, **words), {"brand": brand}
        ),
        code=code,
    )
    return Message(notice, Recipient(email=None, phone=number))
