"""Parses camt.053, the statement of ISO 20022. Pure.

Elements are matched without their namespaces, which differ between the versions. Entities, DTDs
and network access are disabled.
"""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from lxml import etree

from prawko.payments.errors import (
    MAX_ENTRIES,
    StatementProblem,
    UnreadableStatementError,
)
from prawko.payments.statements.entries import (
    StatementEntry,
    create_entry,
    parse_amount,
    parse_date,
)

_BOOKED = "BOOK"


def parse_camt053(content: bytes) -> tuple[StatementEntry, ...]:
    """Return the booked entries; each transaction of a batch. Raises UnreadableStatementError."""
    entries: list[StatementEntry] = []
    try:
        for element in _iterate_entries(content):
            entries += _parse_entry(element)
            if len(entries) > MAX_ENTRIES:
                raise UnreadableStatementError(StatementProblem.TOO_MANY_ENTRIES)
    except etree.XMLSyntaxError as error:
        line = error.lineno or 0
        raise UnreadableStatementError(StatementProblem.INVALID_XML, line=line) from None
    except (LookupError, ValueError):  # an unknown encoding, or characters that it lacks
        raise UnreadableStatementError(StatementProblem.INVALID_XML) from None
    return tuple(entries)


def _iterate_entries(content: bytes) -> Iterator[Any]:
    """Iterate over the `Ntry` elements; each is freed after it was parsed."""
    if b"<!DOCTYPE" in content:
        raise UnreadableStatementError(StatementProblem.INVALID_XML)
    events = etree.iterparse(
        BytesIO(content),
        events=("end",),
        tag="{*}Ntry",
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    for _, element in events:
        yield element
        element.clear()
    root = events.root
    if root is None or root.getroottree().docinfo.internalDTD is not None:
        raise UnreadableStatementError(StatementProblem.INVALID_XML)
    if _find(root, "BkToCstmrStmt") is None:
        raise UnreadableStatementError(StatementProblem.NOT_A_STATEMENT)


def _parse_entry(entry: Any) -> list[StatementEntry]:
    """Return the transactions of an entry; itself, if their amounts are not its amount."""
    line = int(entry.sourceline or 0)
    status = _text(entry, "Sts", "Cd") or _text(entry, "Sts")
    if status and status != _BOOKED:
        return []
    amount = _find(entry, "Amt")
    direction = _text(entry, "CdtDbtInd")
    if amount is None or direction not in {"CRDT", "DBIT"}:
        raise UnreadableStatementError(StatementProblem.INVALID_ENTRY, line=line)
    sign = 1 if direction == "CRDT" else -1
    total = parse_amount(amount.text or "", line)
    currency = amount.get("Ccy", "")
    day = (
        _text(entry, "BookgDt", "Dt")
        or _text(entry, "BookgDt", "DtTm")
        or _text(entry, "ValDt", "Dt")
        or _text(entry, "ValDt", "DtTm")
    )
    booked_on = parse_date(day, line)
    details = [
        part for group in _children(entry, "NtryDtls") for part in _children(group, "TxDtls")
    ]
    parts = [
        (detail, grosze)
        for detail in details
        if (grosze := _transaction_amount(detail, currency, line)) is not None
    ]
    if len(parts) == len(details) > 1 and sum(grosze for _, grosze in parts) == total:
        return [
            create_entry(
                line=line,
                booked_on=booked_on,
                grosze=sign * grosze,
                currency=currency,
                payer=_payer(detail, sign),
                title=_title(detail),
                bank_id=_text(detail, "Refs", "AcctSvcrRef"),
            )
            for detail, grosze in parts
        ]
    return [
        create_entry(
            line=line,
            booked_on=booked_on,
            grosze=sign * total,
            currency=currency,
            payer=next((payer for one in details if (payer := _payer(one, sign))), ""),
            title=" ".join(map(_title, details)).strip() or _text(entry, "AddtlNtryInf"),
            bank_id=_text(entry, "AcctSvcrRef") or _only_reference(details),
        )
    ]


def _transaction_amount(detail: Any, currency: str, line: int) -> int | None:
    amount = _find(detail, "AmtDtls", "TxAmt", "Amt")
    if amount is None:
        amount = _find(detail, "Amt")
    if amount is None or amount.get("Ccy", "") != currency:
        return None
    return parse_amount(amount.text or "", line)


def _payer(detail: Any, sign: int) -> str:
    """Return the name of the other party."""
    for party in ("UltmtDbtr", "Dbtr") if sign > 0 else ("UltmtCdtr", "Cdtr"):
        name = _text(detail, "RltdPties", party, "Nm") or _text(
            detail, "RltdPties", party, "Pty", "Nm"
        )
        if name:
            return name
    return ""


def _title(detail: Any) -> str:
    remittance = _find(detail, "RmtInf")
    parts = [] if remittance is None else [one.text or "" for one in _children(remittance, "Ustrd")]
    return " ".join(parts) or _text(detail, "AddtlTxInf")


def _only_reference(details: list[Any]) -> str:
    return _text(details[0], "Refs", "AcctSvcrRef") if len(details) == 1 else ""


def _children(element: Any, name: str) -> list[Any]:
    return list(element.iterchildren(f"{{*}}{name}"))


def _find(element: Any, *path: str) -> Any | None:
    for name in path:
        element = next(element.iterchildren(f"{{*}}{name}"), None)
        if element is None:
            return None
    return element


def _text(element: Any, *path: str) -> str:
    found = _find(element, *path)
    return "" if found is None else (found.text or "").strip()
