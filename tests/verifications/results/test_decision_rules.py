from datetime import UTC, datetime, timedelta

import pytest

from prawko.drivers.models import Outcome
from prawko.hooks.licence_register import LicenceQuery
from prawko.kit.clock import MAX_CLOCK_SKEW
from prawko.verifications.decision import (
    RECHECK_MISSING_AFTER,
    Decision,
    decide_effect,
    is_suspicious,
    still_missing_since,
    went_missing,
)
from prawko.verifications.register.check_tasks import SentQuery
from prawko_tenants.ids import DriverId, TenantId, new_id

NOW = datetime(2026, 11, 20, 5, tzinfo=UTC)
SECOND = timedelta(seconds=1)
QUERY = SentQuery(
    tenant_id=TenantId(new_id()),
    driver_id=DriverId(new_id()),
    document_version=1,
    query=LicenceQuery("Jan", "Kowalski", "AA123456"),
    asked_at=NOW,
    asked_at_system=NOW,
)


def decide_for(
    previous_status, outcome, *, newest_asked_at=None, missing_since=None, quarantines=True
):
    return decide_effect(
        QUERY,
        outcome,
        previous_status=previous_status,
        newest_asked_at=newest_asked_at,
        missing_since=missing_since,
        quarantines=quarantines,
        system_now=NOW,
    )


@pytest.mark.parametrize(
    ("previous", "outcome", "run", "manual"),
    [
        ("unknown", Outcome.VALID, Decision.EFFECTIVE, Decision.EFFECTIVE),
        ("valid", Outcome.VALID, Decision.EFFECTIVE, Decision.EFFECTIVE),
        ("valid", Outcome.INVALID, Decision.EFFECTIVE, Decision.EFFECTIVE),
        ("valid", Outcome.ATTENTION, Decision.QUARANTINE, Decision.EFFECTIVE),
        ("unknown", Outcome.ATTENTION, Decision.QUARANTINE, Decision.EFFECTIVE),
        ("attention", Outcome.ATTENTION, Decision.EFFECTIVE, Decision.EFFECTIVE),
        ("unknown", Outcome.NOT_FOUND, Decision.QUARANTINE, Decision.EFFECTIVE),
        ("not_found", Outcome.NOT_FOUND, Decision.EFFECTIVE, Decision.EFFECTIVE),
        ("valid", Outcome.NOT_FOUND, Decision.RECHECK, Decision.RECHECK),
        ("invalid", Outcome.NOT_FOUND, Decision.RECHECK, Decision.RECHECK),
        ("attention", Outcome.NOT_FOUND, Decision.RECHECK, Decision.RECHECK),
    ],
)
def test_a_run_quarantines_suspicious_changes_and_a_manual_check_none(
    previous, outcome, run, manual
):
    assert decide_for(previous, outcome) is run
    assert decide_for(previous, outcome, quarantines=False) is manual


@pytest.mark.parametrize("outcome", Outcome)
def test_an_answer_is_overtaken_by_a_newer_query_only(outcome):
    newer = decide_for("valid", outcome, newest_asked_at=NOW + SECOND)
    same_time = decide_for("valid", outcome, newest_asked_at=NOW)
    last_believed = decide_for("valid", outcome, newest_asked_at=NOW + MAX_CLOCK_SKEW)
    assert newer is last_believed
    assert newer is Decision.OVERTAKEN
    assert same_time is decide_for("valid", outcome, newest_asked_at=NOW - SECOND)
    assert same_time is not Decision.OVERTAKEN


@pytest.mark.parametrize("outcome", Outcome)
def test_a_query_of_the_future_holds_up_no_answer(outcome):
    """It was dated by a clock that was wrong."""
    future = decide_for("valid", outcome, newest_asked_at=NOW + MAX_CLOCK_SKEW + SECOND)
    assert future is decide_for("valid", outcome)


@pytest.mark.parametrize(
    ("missing_for", "run", "manual"),
    [
        (timedelta(0), Decision.RECHECK, Decision.RECHECK),
        (RECHECK_MISSING_AFTER - SECOND, Decision.RECHECK, Decision.RECHECK),
        (RECHECK_MISSING_AFTER, Decision.QUARANTINE, Decision.EFFECTIVE),
    ],
)
def test_a_missing_document_counts_after_the_recheck_interval(missing_for, run, manual):
    since = NOW - missing_for
    assert decide_for("valid", Outcome.NOT_FOUND, missing_since=since) is run
    decision = decide_for("valid", Outcome.NOT_FOUND, missing_since=since, quarantines=False)
    assert decision is manual


def test_only_a_document_that_was_known_goes_missing():
    assert went_missing("valid", Outcome.NOT_FOUND)
    assert not went_missing("unknown", Outcome.NOT_FOUND)
    assert not went_missing("not_found", Outcome.NOT_FOUND)
    assert not went_missing("valid", Outcome.ATTENTION)


def test_a_document_found_in_between_is_missing_no_longer():
    assert still_missing_since(None, NOW) is None
    assert still_missing_since(NOW, None) == NOW
    assert still_missing_since(NOW, NOW) == NOW
    assert still_missing_since(NOW, NOW + SECOND) is None


@pytest.mark.parametrize("previous", ["unknown", *Outcome])
def test_a_withheld_licence_is_never_suspicious(previous):
    assert not is_suspicious(previous, Outcome.INVALID)
    assert not is_suspicious(previous, Outcome.VALID)


def test_only_a_status_change_is_suspicious():
    assert is_suspicious("valid", Outcome.ATTENTION)
    assert is_suspicious("unknown", Outcome.NOT_FOUND)
    assert not is_suspicious("attention", Outcome.ATTENTION)
    assert not is_suspicious("not_found", Outcome.NOT_FOUND)
