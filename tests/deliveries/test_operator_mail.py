"""Mails about incidents."""

from datetime import UTC, datetime

import pytest

from prawko.base.i18n import Language, load_catalog
from prawko.incidents.operator_mail import render_incident_mail

AT = datetime(2026, 11, 21, 5, 5, tzinfo=UTC)
KINDS = load_catalog(Language.PL)["mails"]["operator"]["kinds"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_mail_names_kind_key_detail_and_start(kind) -> None:
    notice = render_incident_mail("Prawko", kind, "channel-x", "103 no credits", AT)

    assert KINDS[kind] in notice.text
    for text in (kind, "channel-x", "103 no credits", "21.11.2026, 06:05"):
        assert text in notice.text
    assert kind in notice.subject


def test_an_unknown_kind_gets_the_general_text() -> None:
    notice = render_incident_mail("Prawko", "of_tomorrow", "x", "y", AT)

    assert KINDS["other"] in notice.text
