"""VAT of amounts of money, which are integer grosze, and their format (docs/rules.md T5)."""

from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext

from babel.numbers import format_currency

VAT_PERCENT = 23
# Whatever a plugin makes of the context of decimals that all code shares.
EXACT = Context(prec=28, rounding=ROUND_HALF_EVEN)


def compute_vat(net: int) -> int:
    """Return the VAT of one line's net amount, rounded half-up once. Raises ValueError below 0."""
    return round_half_up(net * VAT_PERCENT, 100)


def round_half_up(amount: int, divisor: int) -> int:
    """Return `amount / divisor`, rounded half-up. Raises ValueError for an amount below zero."""
    if amount < 0:
        raise ValueError(f"{amount} is below zero")
    return (2 * amount + divisor) // (2 * divisor)


def format_amount(grosze: int, currency: str = "PLN") -> str:
    """Return an amount with its currency, in Polish format in both languages: `1 234,56 zł`."""
    return _format(grosze, "#,##0.00 ¤", currency)


def format_zloty(grosze: int) -> str:
    """Return an amount without its currency, as Polish invoices print it: `1 234,56`.

    Raises ValueError for a negative amount.
    """
    if grosze < 0:
        raise ValueError(f"{grosze} is negative")
    return _format(grosze, "#,##0.00")


def _format(grosze: int, pattern: str, currency: str = "") -> str:
    with localcontext(EXACT):
        text: str = format_currency(Decimal(grosze) / 100, currency, pattern, locale="pl")
    return text
