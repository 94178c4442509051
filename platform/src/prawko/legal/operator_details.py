"""The operator's details in the legal documents, from the settings."""

import html
from collections.abc import Mapping

import msgspec

from prawko.kit.money import format_amount
from prawko.kit.settings import Settings
from prawko.kit.text.i18n import Language, translate
from prawko.kit.text.plain_text import keep_short_words

PAGE_PLACEHOLDER = "__OPERATOR__"  # all details as JSON
FIELD_PLACEHOLDER = "__OPERATOR_{}__"


class OperatorDetail(msgspec.Struct, frozen=True):
    """A detail as the documents show it; a missing one is a note of what to fill in."""

    text: str
    is_missing: bool


def build_operator_details(settings: Settings, language: Language) -> dict[str, OperatorDetail]:
    """Return the details by the names that the documents' texts use."""
    address = f"{settings.seller_street}, {settings.seller_postal_code} {settings.seller_city}"
    has_address = settings.seller_street and settings.seller_postal_code and settings.seller_city
    capital = settings.operator_share_capital
    given = {
        "name": settings.seller_name,
        "address": address if has_address else "",
        "registerCourt": settings.operator_register_court,
        "krs": settings.operator_krs,
        "taxId": settings.seller_tax_id,
        "shareCapital": format_amount(100 * capital) if capital else "",
        "email": settings.operator_contact_email,
    }
    details = {name: _describe_detail(name, text, language) for name, text in given.items()}
    officer = settings.operator_dpo_email
    details["dataProtection"] = OperatorDetail(
        text=translate(
            f"legal.operator.data_protection.{'officer' if officer else 'contact'}",
            language,
            email=officer or details["email"].text,
        ),
        is_missing=not officer and details["email"].is_missing,
    )
    return details


def _describe_detail(name: str, text: str, language: Language) -> OperatorDetail:
    if text:
        return OperatorDetail(text, is_missing=False)
    label = translate(f"legal.operator.labels.{name}", language)
    note = translate("legal.operator.missing", language, label=label)
    return OperatorDetail(note, is_missing=True)


def build_page_placeholders(settings: Settings) -> Mapping[str, str]:
    """Return what replaces the placeholders of the built pages, as HTML.

    Prerendered pages are Polish. The JSON has both languages, so that the application renders
    the same text as the server.
    """
    details = {language: build_operator_details(settings, language) for language in Language}
    polish = details[Language.PL]
    content = {
        "missing": [name for name, detail in polish.items() if detail.is_missing],
        **{
            language.value: {name: detail.text for name, detail in by_name.items()}
            for language, by_name in details.items()
        },
    }
    fields = {
        FIELD_PLACEHOLDER.format(name.upper()): _render_detail(detail)
        for name, detail in polish.items()
    }
    return {PAGE_PLACEHOLDER: _encode_for_script(content), **fields}


def _render_detail(detail: OperatorDetail) -> str:
    text = html.escape(detail.text)
    return f"<mark>{text}</mark>" if detail.is_missing else keep_short_words(text)


def _encode_for_script(content: object) -> str:
    """Return JSON that cannot end the script element that contains it."""
    text = msgspec.json.encode(content).decode()
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")
