"""Mails that notify a person of a change of the second factor."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from prawko.accounts.repository import AccountRepository
from prawko.hooks.channels import Medium, Recipient
from prawko.kit.context import AppContext
from prawko.kit.documents.email_template import Accent, render_email
from prawko.kit.outbox.models import OutboxMessage
from prawko.kit.outbox.rendering import DueMessage, RenderedMessage
from prawko.kit.outbox.service import enqueue_messages
from prawko.kit.text.i18n import translate
from prawko_tenants.ids import DeliveryId, UserId, new_id
from prawko_tenants.sessions import TenantSession

ACCOUNT_PAGE = "/panel/account"


class SecondFactorMail(StrEnum):
    """The kinds of mail: of the outbox, and of the texts in `mails`."""

    ENABLED = "second_factor_enabled"
    DISABLED = "second_factor_disabled"
    CODES_REPLACED = "recovery_codes_replaced"
    CODE_USED = "recovery_code_used"
    REFUSED = "second_factor_guessed"


async def enqueue_second_factor_mail(
    session: TenantSession, user_id: UserId, kind: SecondFactorMail,
    *, once_per: str | None = None,
) -> None:  # fmt: skip
    """Add the mail to the outbox, in the transaction of the change.

    With `once_per`, a day for one, the person gets no second mail of that.
    """
    occasion = f"{user_id}:{once_per}" if once_per else new_id()
    message = OutboxMessage(
        kind=kind.value,
        medium=Medium.EMAIL,
        key=f"{kind.value}:{occasion}",
        tenant_id=session.tenant_id,
        user_id=user_id,
    )
    await enqueue_messages(session, [message])


async def render_second_factor_mails(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render the mails of people who still have an account."""
    async with context.database.system() as session:
        people = await AccountRepository(session).list_by_id(
            [message.user_id for message in due if message.user_id is not None]
        )
    readers = {person.id: person for person in people}
    brand, base_url = context.settings.brand, context.settings.base_url.rstrip("/")
    rendered = {}
    for message in due:
        reader = readers.get(message.user_id) if message.user_id is not None else None
        if reader is None:
            continue
        language = reader.language
        content = render_email(
            language,
            brand,
            translate(f"mails.{message.kind}.title", language, brand=brand),
            [translate(f"mails.{message.kind}.text", language, brand=brand)],
            link=f"{base_url}{ACCOUNT_PAGE}",
            link_label=translate("mails.letter.open", language),
            accent=Accent.WARNING,
            contact=context.settings.operator_contact_email,
        )
        rendered[message.id] = RenderedMessage(content, Recipient(email=reader.email, phone=None))
    return rendered
