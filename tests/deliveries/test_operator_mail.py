"""Mails about incidents."""

from datetime import UTC, datetime, timedelta

import pytest

from prawko.kit.incidents.models import Incident
from prawko.kit.incidents.operator_mail import render_incident_end_mail, render_incident_mail
from prawko.kit.text.i18n import Language, load_catalog

AT = datetime(2026, 11, 21, 5, 5, tzinfo=UTC)
KINDS = load_catalog(Language.PL)["mails"]["operator"]["kinds"]


def incident(kind: str) -> Incident:
    return Incident(
        kind=kind, key="channel-x", detail="103 no credits", opened_at=AT,
        closed_at=AT + timedelta(hours=2),
    )  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_mail_names_kind_key_detail_and_start(kind) -> None:
    notice = render_incident_mail("Prawko", incident(kind))

    assert KINDS[kind] in notice.text
    for text in (kind, "channel-x", "103 no credits", "21.11.2026, 06:05"):
        assert text in notice.text
    assert kind in notice.subject


def test_an_unknown_kind_gets_the_general_text() -> None:
    notice = render_incident_mail("Prawko", incident("of_tomorrow"))

    assert KINDS["other"] in notice.text


def test_the_mail_about_the_end_names_both_times() -> None:
    notice = render_incident_end_mail("Prawko", incident("run_late"))

    assert notice.subject == "Prawko: zdarzenie się skończyło (run_late)"
    for text in ("channel-x", "103 no credits", "21.11.2026, 06:05", "21.11.2026, 08:05"):
        assert text in notice.text
