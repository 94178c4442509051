"""The SMS that carries a verification code.

It is the only SMS sent to an unverified number. The code is stored as a digest; until the SMS
is sent, the delivery's row holds number and code encrypted.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.authentication import Identity
from prawko.accounts.one_time_codes import OneTimeCodeRepository
from prawko.base.context import AppContext
from prawko.base.crypto import KeyRing
from prawko.base.gsm7 import fit_one_segment
from prawko.base.i18n import Language, translate
from prawko.hooks.channels import Medium, Recipient
from prawko.mail.email_template import render_email
from prawko.outbox.messages import OutboxMessage
from prawko.outbox.rendering import DueMessage, RenderedMessage
from prawko.outbox.service import enqueue_messages
from prawko_tenants.ids import DeliveryId

PHONE_CODE = "phone_code"


async def enqueue_phone_code(
    session: AsyncSession, key_ring: KeyRing, actor: Identity, code_id: UUID, number: str, code: str
) -> None:
    """Add the SMS of a code to the outbox; it is sent at night, too."""
    message = OutboxMessage(
        kind=PHONE_CODE,
        medium=Medium.SMS,
        key=f"{PHONE_CODE}:{code_id}",
        tenant_id=actor.tenant_id,
        user_id=actor.user_id,
        subject_id=code_id,
    )
    await enqueue_messages(session, [message.with_secret(f"{number} {code}", key_ring)])


async def render_phone_codes(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render the SMS of valid codes whose number is still the person's."""
    async with context.database.system() as session:
        codes = await OneTimeCodeRepository(session).find_valid(
            [message.subject_id for message in due], context.clock.now()
        )
    rendered: dict[DeliveryId, RenderedMessage] = {}
    for message in due:
        if message.secret is None or message.subject_id not in codes:
            continue
        number, _, code = message.secret.partition(" ")
        if codes[message.subject_id].phone_number == number:
            language = codes[message.subject_id].language
            rendered[message.id] = _render_sms(context.settings.brand, language, number, code)
    return rendered


def _render_sms(brand: str, language: Language, number: str, code: str) -> RenderedMessage:
    message = render_email(
        language,
        brand,
        translate("phone.sms.title", language),
        [translate("phone.sms.text", language, brand=brand)],
        sms_text=fit_one_segment(
            lambda words: translate("phone.sms.line", language, code=code, **words),
            {"brand": brand},
        ),
        code=code,
    )
    return RenderedMessage(message, Recipient(email=None, phone=number))
