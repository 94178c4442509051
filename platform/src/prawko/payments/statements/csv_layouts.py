"""The columns of the CSV exports of Polish banks, by their headers. Pure data."""

import msgspec

from prawko.kit.text.letters import fold_letters
from prawko.payments.statements.entries import StatementFormat

_MAX_NAME_LENGTH = 200


class CsvLayout(msgspec.Struct, frozen=True, kw_only=True):
    """The columns of an export, in order of preference, by their normalised names.

    `signature` are columns that all together tell it from the others. Amounts are in `amount`, or
    in `credit` and `debit`. Of `titles` and `payers` the first that is not empty counts.
    `is_labelled`: title and payer are among unnamed columns, as `Tytuł: …` and `Nazwa nadawcy: …`.
    """

    format: StatementFormat
    signature: frozenset[str]
    dates: tuple[str, ...]
    amount: str = ""
    credit: str = ""
    debit: str = ""
    currency: str = ""
    titles: tuple[str, ...]
    payers: tuple[str, ...] = ()
    bank_id: str = ""
    status: str = ""
    is_labelled: bool = False


# The first whose signature is present counts.
LAYOUTS = (
    CsvLayout(
        format=StatementFormat.PKO,
        signature=frozenset({"data operacji", "typ transakcji", "kwota", "opis transakcji"}),
        dates=("data operacji",),
        amount="kwota",
        currency="waluta",
        titles=("opis transakcji",),
        status="typ transakcji",
        is_labelled=True,
    ),
    CsvLayout(
        format=StatementFormat.PEKAO,
        signature=frozenset({"data ksiegowania", "nadawca/odbiorca", "tytulem", "kwota operacji"}),
        dates=("data ksiegowania",),
        amount="kwota operacji",
        currency="waluta",
        titles=("tytulem",),
        payers=("nadawca/odbiorca",),
        bank_id="numer referencyjny",
    ),
    CsvLayout(
        format=StatementFormat.PKO_BUSINESS,
        signature=frozenset({"data ksiegowania", "nadawca", "tytulem", "kwota operacji"}),
        dates=("data ksiegowania",),
        amount="kwota operacji",
        currency="waluta",
        titles=("tytulem",),
        payers=("nadawca",),
        bank_id="numer referencyjny",
    ),
    CsvLayout(
        format=StatementFormat.MBANK,
        signature=frozenset({"data operacji", "opis operacji", "kwota"}),
        dates=("data ksiegowania", "data operacji"),
        amount="kwota",
        currency="waluta",
        titles=("tytul", "opis operacji"),
        payers=("nadawca/odbiorca",),
    ),
    CsvLayout(
        format=StatementFormat.ING,
        signature=frozenset(
            {"data transakcji", "dane kontrahenta", "tytul", "kwota transakcji (waluta rachunku)"}
        ),
        dates=("data ksiegowania", "data transakcji"),
        amount="kwota transakcji (waluta rachunku)",
        currency="waluta",
        titles=("tytul",),
        payers=("dane kontrahenta",),
        bank_id="nr transakcji",
    ),
    CsvLayout(
        format=StatementFormat.MILLENNIUM,
        signature=frozenset({"data rozliczenia", "opis", "obciazenia", "uznania", "waluta"}),
        dates=("data rozliczenia", "data transakcji"),
        credit="uznania",
        debit="obciazenia",
        currency="waluta",
        titles=("opis",),
        payers=("odbiorca/zleceniodawca",),
    ),
    CsvLayout(
        format=StatementFormat.BNP_PARIBAS,
        signature=frozenset({"data zaksiegowania", "kwota", "waluta", "opis", "typ transakcji"}),
        dates=("data zaksiegowania",),
        amount="kwota",
        currency="waluta",
        titles=("opis",),
        payers=("nadawca", "nadawca/odbiorca"),
        status="status",
    ),
)
# Rows that are no bookings yet, or never: holds, pending and rejected transfers.
UNBOOKED_STATUSES = ("blokada", "w trakcie", "oczekuj", "odrzucon", "anulowan")


def normalise_name(text: str) -> str:
    """Return a column's name in lower case, without diacritics, signs and needless blanks."""
    words = fold_letters(text[:_MAX_NAME_LENGTH]).replace("/", " / ").strip('#" \t').split()
    return " ".join(words).replace(" / ", "/")
