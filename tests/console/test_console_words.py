"""The console's catalogues name every word that its calls answer; others stand as they are."""

import ast
import re
import tomllib
from enum import StrEnum
from pathlib import Path

import pytest

from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.audit_log import AuditEvent
from prawko.billing.models import SubscriptionStatus
from prawko.console.companies import CompanyStatus
from prawko.console.deliveries import DeliveryState
from prawko.console.support import SubmissionState
from prawko.drivers.models import Outcome
from prawko.hooks.channels import DeliveryReportKind, Medium
from prawko.hooks.licence_register import RegisterErrorKind
from prawko.hooks.payments import PaymentMethod
from prawko.kit.outbox.repository import FailureReason
from prawko.kit.providers.registry import PluginKind
from prawko.payments.models import DiscrepancyKind
from prawko.payments.state_machine import PaymentRecordState
from prawko.payments.statements.entries import StatementFormat
from prawko.payments.statements.service import EntryOutcome

ROOT = Path(__file__).parents[2]
MAILS = ROOT / "platform/src/prawko/texts/pl/mails.toml"
CATALOGUE = (ROOT / "admin-ui/src/i18n/pl/values.ts").read_text(encoding="utf-8")

UNDELIVERED = frozenset(DeliveryReportKind) - {DeliveryReportKind.DELIVERED}
WORDS: dict[str, tuple[type[StrEnum] | frozenset[StrEnum], ...]] = {
    "action": (AdminActionType,),
    "activity": (AuditEvent,),
    "checkError": (RegisterErrorKind,),
    "delivery": (DeliveryState,),
    "deliveryReason": (FailureReason, UNDELIVERED),
    "discrepancyKind": (DiscrepancyKind,),
    "medium": (Medium,),
    "message": (SubmissionState,),
    "method": (PaymentMethod,),
    "payment": (PaymentRecordState,),
    "pluginKind": (PluginKind,),
    "statementFormat": (StatementFormat,),
    "statementLine": (EntryOutcome,),
    "subscription": (SubscriptionStatus, CompanyStatus),
    "verification": (Outcome,),
}


def words_of(kind: str) -> set[str]:
    section = re.search(rf"^  {kind}: {{\n(.*?)^  }},", CATALOGUE, re.MULTILINE | re.DOTALL)
    assert section, kind
    return set(re.findall(r'^    "?([\w-]+)"?:', section[1], re.MULTILINE))


@pytest.mark.parametrize("kind", WORDS)
def test_every_word_is_named(kind) -> None:
    answered = {member.value for enumeration in WORDS[kind] for member in enumeration}
    assert answered - words_of(kind) == set()


def test_every_detail_of_an_activity_is_named() -> None:
    calls = [
        node
        for path in (ROOT / "platform/src/prawko").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and any(map(_is_event, node.args))
    ]
    passed = {one.arg for call in calls for one in call.keywords}
    details = passed - {None, "is_confirmed"}  # which is of the session, not of the event
    assert len(details) > 10
    assert details - words_of("detail") == set()


def _is_event(argument: ast.expr) -> bool:
    return isinstance(argument, ast.Attribute) and ast.unparse(argument.value) == "AuditEvent"


def test_every_incident_is_named() -> None:
    kinds = tomllib.loads(MAILS.read_text(encoding="utf-8"))["operator"]["kinds"].keys() - {"other"}
    assert kinds - words_of("incidentKind") == set()
