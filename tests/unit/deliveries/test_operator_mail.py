"""What the operators are told."""

from datetime import UTC, datetime

import pytest

from prawko.base.texts import Language, catalogue
from prawko.deliveries.operator_mail import incident_mail

AT = datetime(2026, 11, 21, 5, 5, tzinfo=UTC)
KINDS = catalogue(Language.PL)["mails"]["operator"]["kinds"]


@pytest.mark.parametrize("kind", KINDS)
def test_an_incident_says_what_about_what_since_when(kind) -> None:
    notice = incident_mail("Prawko", kind, "channel-x", "103 no credits", AT)

    assert KINDS[kind] in notice.text
    for words in (kind, "channel-x", "103 no credits", "21.11.2026, 06:05"):
        assert words in notice.text
    assert kind in notice.title


def test_an_incident_without_words_of_its_own_is_told_all_the_same() -> None:
    notice = incident_mail("Prawko", "of_tomorrow", "x", "y", AT)

    assert KINDS["other"] in notice.text
