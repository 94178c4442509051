"""The SMS that carries a verification code, the only one sent to an unverified number."""

from collections.abc import Mapping, Sequence

from prawko.accounts.one_time_codes import ValidCode, render_one_time_messages
from prawko.hooks.channels import Recipient
from prawko.kit.context import AppContext
from prawko.kit.documents.email_template import render_email
from prawko.kit.outbox.rendering import DueMessage, RenderedMessage
from prawko.kit.text.gsm7 import fit_one_segment
from prawko.kit.text.i18n import Language, translate
from prawko_tenants.ids import DeliveryId

PHONE_CODE = "phone_code"


async def render_phone_codes(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render the SMS of valid codes whose number is still the person's."""

    def render(reader: ValidCode, secret: str) -> RenderedMessage | None:
        number, _, code = secret.partition(" ")
        if reader.phone_number != number:
            return None
        return render_sms(context.settings.brand, reader.language, number, code)

    return await render_one_time_messages(context, due, render)


def render_sms(brand: str, language: Language, number: str, code: str) -> RenderedMessage:
    """Render the SMS of a code, which fits one segment."""
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
