"""Formats amounts of money, which are integer grosze (docs/rules.md T5)."""

from decimal import Decimal

from babel.numbers import format_currency, format_decimal

from prawko.base.i18n import Language

_PATTERNS = {Language.PL: "#,##0.00 ¤", Language.EN: "¤ #,##0.00"}


def format_amount(grosze: int, language: Language) -> str:
    """Return an amount with its currency: `1 234,56 zł`, `PLN 1,234.56`."""
    text: str = format_currency(
        Decimal(grosze) / 100, "PLN", format=_PATTERNS[language], locale=language.value
    )
    return text


def format_zloty(grosze: int) -> str:
    """Return an amount without its currency, as Polish invoices print it: `1 234,56`.

    Raises ValueError for a negative amount.
    """
    if grosze < 0:
        raise ValueError(f"{grosze} is negative")
    text: str = format_decimal(Decimal(grosze) / 100, format="#,##0.00", locale="pl")
    return text
