"""When a process calls a plugin again: after faults in a row, after blocks, and after successes."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from prawko.kit.providers import experience
from prawko.kit.providers.evidence import MAX_SUBJECTS, FailedCall
from prawko.kit.providers.experience import FAULTS_UNTIL_REST, PluginExperience, PluginExperiences

MINUTE = timedelta(minutes=1)


class SystemClock:
    """The time that the states see; it stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 20, 5, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def move(self, span: timedelta) -> None:
        self.now += span


@pytest.fixture
def clock(monkeypatch) -> SystemClock:
    clock = SystemClock()
    monkeypatch.setattr(experience, "utc_now", clock)
    return clock


@pytest.fixture
def plugin(clock) -> PluginExperience:
    return PluginExperience("channel odd")


def fault(*, tenant=1, subject=1, is_known=False) -> FailedCall:
    return FailedCall(
        error=ValueError(), tenant_id=UUID(int=tenant), subject_id=UUID(int=subject),
        is_known=is_known,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("failed", "rests"),
    [
        ([fault(is_known=True)] * FAULTS_UNTIL_REST, True),
        ([fault(is_known=True)] * (FAULTS_UNTIL_REST - 1), False),
        ([fault()] * 100, False),
        ([fault(subject=n) for n in range(MAX_SUBJECTS - 1)], False),
        ([fault(subject=n) for n in range(MAX_SUBJECTS)], True),
        ([fault()] * FAULTS_UNTIL_REST + [fault(tenant=2)], True),
    ],
    ids=["in a row", "too few", "one recipient", "one company", "ten recipients", "two companies"],
)
def test_a_plugin_rests_after_faults_that_are_its_own(plugin, clock, failed, rests) -> None:
    resting = [plugin.count_faults([one]) for one in failed]
    assert resting[-1] is rests
    assert plugin.rests_until() == (clock.now + MINUTE if rests else None)
    assert plugin.rests_after_block_until() is None, "it may be called by who decides so"


def test_a_success_ends_a_rest_and_faults_count_anew(plugin) -> None:
    plugin.count_faults([fault(is_known=True)] * FAULTS_UNTIL_REST)
    assert plugin.count_success(), "its incident ends"
    assert plugin.rests_until() is None
    assert not plugin.count_success()
    assert not plugin.count_faults([fault(is_known=True)] * (FAULTS_UNTIL_REST - 1))


def test_an_incident_is_ended_again_after_the_job_that_opens_it_must_have_run(
    plugin, clock
) -> None:
    plugin.count_faults([fault(is_known=True)] * FAULTS_UNTIL_REST)
    ends = []
    for seconds in (0, 1, 58, 1, 1, 3600):
        clock.move(timedelta(seconds=seconds))
        ends.append(plugin.count_success())
    assert ends == [True, False, False, True, False, False]


def test_one_more_fault_after_a_rest_is_another(plugin, clock) -> None:
    plugin.count_faults([fault(is_known=True)] * FAULTS_UNTIL_REST)
    clock.move(2 * MINUTE)
    assert plugin.rests_until() is None
    assert plugin.count_faults([fault(is_known=True)])


def test_the_rests_after_blocks_double_to_an_hour_and_no_success_shortens_them(
    plugin, clock
) -> None:
    rests = []
    for _ in range(8):
        plugin.count_block("it blocked")
        until = plugin.rests_after_block_until()
        assert not plugin.count_success(), "its incident stays"
        assert plugin.rests_after_block_until() == until
        rests.append((until - clock.now) / MINUTE)
        clock.move(until - clock.now)
        assert plugin.rests_until() is None
        plugin.count_success()
    assert rests == [1, 2, 4, 8, 16, 32, 60, 60]


def test_a_block_of_a_process_before_counts_from_then(plugin, clock) -> None:
    assert not plugin.count_block("long ago", since=2 * MINUTE)
    assert plugin.rests_until() is None
    assert plugin.count_block("lately", since=MINUTE / 2)
    assert plugin.rests_until() == clock.now + 1.5 * MINUTE


def test_a_rest_that_a_wrong_clock_has_set_is_not_believed(plugin, clock) -> None:
    clock.move(timedelta(days=400))
    plugin.count_block("it blocked")
    plugin.count_faults([fault(is_known=True)] * FAULTS_UNTIL_REST)
    clock.move(-timedelta(days=400))
    assert plugin.rests_until() is None


def test_blocks_are_reported_once(clock) -> None:
    known = PluginExperiences()
    odd = known.get("channel odd")
    odd.count_block("it blocked")
    assert known.take_blocks() == [(odd, "it blocked")]
    assert known.take_blocks() == []
