"""When `--unused-rights` names rights: after each test has passed, in one run or in two."""

from types import SimpleNamespace

import pytest

from support import rights_check
from support.rights_check import RightsCheck

OK, FAILED, INTERRUPTED, UNUSED_RIGHTS = 0, 1, 2, 6
SELECT_ONE, SELECT_TWO = ("app", "SELECT 1"), ("worker", "SELECT 2")
UNUSED = "app: DELETE on driver is used by nothing"


@pytest.fixture
def compared(monkeypatch) -> list[set]:
    """The statements of each comparison, every one of which finds an unused right."""
    calls: list[set] = []

    def compare(sent: set) -> list[str]:
        calls.append(sent)
        return [UNUSED]

    monkeypatch.setattr(rights_check, "list_unused_rights", compare)
    monkeypatch.setattr(rights_check.StatementRecorder, "install", lambda _: None)
    return calls


@pytest.fixture
def finish():
    """Ends a run of tests that share one cache; returns its exit code and what it says."""
    saved: dict[str, object] = {}
    cache = SimpleNamespace(get=saved.get, set=saved.__setitem__)

    def run(code, *statements, fails=True, arguments=False, **options) -> tuple[int, list[str]]:
        config = SimpleNamespace(
            cache=cache, getoption=lambda name: options.get(name, ""),
            args_source=pytest.Config.ArgsSource["ARGS" if arguments else "TESTPATHS"],
        )  # fmt: skip
        session = SimpleNamespace(config=config, exitstatus=code)
        check = RightsCheck(fails=fails)
        check.pytest_testnodedown(SimpleNamespace(workeroutput={"sent_statements": statements}))
        check.pytest_sessionfinish(session, code)
        return session.exitstatus, check.sentences

    return run


def test_an_unused_right_is_named_and_fails_a_run_of_all_tests(finish, compared) -> None:
    assert finish(OK, SELECT_ONE) == (UNUSED_RIGHTS, [UNUSED])
    assert finish(OK, SELECT_ONE, fails=False) == (OK, [UNUSED])
    assert compared == [{SELECT_ONE}] * 2


def test_failed_tests_are_repeated_before_rights_are_compared(finish, compared) -> None:
    code, [sentence] = finish(FAILED, SELECT_ONE)
    assert (code, compared) == (FAILED, [])
    assert "--last-failed" in sentence

    assert finish(OK, SELECT_TWO, lf=True) == (UNUSED_RIGHTS, [UNUSED])
    assert compared == [{SELECT_ONE, SELECT_TWO}]


def test_both_halves_of_the_tests_are_compared_at_the_end_of_the_second(finish, compared) -> None:
    assert finish(OK, SELECT_TWO, markexpr="drill")[0] == OK
    assert finish(OK, SELECT_ONE, markexpr="not drill")[0] == OK
    assert compared == []

    assert finish(OK, SELECT_TWO, markexpr="drill") == (UNUSED_RIGHTS, [UNUSED])
    assert compared == [{SELECT_ONE, SELECT_TWO}]


def test_a_half_whose_failed_tests_passed_in_a_repetition_is_complete(finish, compared) -> None:
    finish(FAILED, SELECT_ONE, markexpr="not drill")
    finish(OK, markexpr="not drill", lf=True)
    finish(FAILED, markexpr="drill")
    assert compared == []

    assert finish(OK, SELECT_TWO, markexpr="drill", lf=True) == (UNUSED_RIGHTS, [UNUSED])
    assert compared == [{SELECT_ONE, SELECT_TWO}]


@pytest.mark.parametrize(
    "options", [{"arguments": True}, {"keyword": "driver"}, {"markexpr": "anyio"}, {"lf": True}]
)
def test_a_run_of_some_tests_compares_nothing(finish, compared, options) -> None:
    assert finish(OK, SELECT_ONE, **options)[0] == OK
    assert compared == []


def test_an_interrupted_run_is_completed_by_no_repetition(finish, compared) -> None:
    finish(INTERRUPTED, SELECT_ONE)
    assert finish(OK, SELECT_TWO, lf=True)[0] == OK
    assert compared == []
