"""The slot of a process names the plugin in whose call it ended, whatever ended it."""

import fcntl
import subprocess
import sys
import time

import pytest

from kit.held_process import FORMS
from prawko.hooks.deadlines import HARD_LIMIT_SECONDS
from prawko.kit.providers import call_slot
from prawko.kit.providers.call_slot import CallSlot, read_ended

# Beyond the hard limit, on a machine that is busy with something else.
SECONDS = 60


@pytest.mark.parametrize("form", FORMS)
def test_a_process_that_a_call_holds_or_ends_is_ended_and_its_plugin_named(tmp_path, form) -> None:
    began = time.time()
    ended = subprocess.run(
        [sys.executable, "-m", "kit.held_process", tmp_path, form],
        timeout=SECONDS, check=False, capture_output=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    code = {"exit": 0, "kill": -9}.get(form, 1)
    assert ended.returncode == code, ended.stderr

    [process] = read_ended(tmp_path, "worker")
    assert (process.plugin, process.is_new) == ("channel odd", True)
    assert began - 1 <= process.ended_at <= time.time()
    is_held = form not in {"exit", "kill"}
    assert (f"in _{form}" in process.traceback) is is_held, process.traceback
    if is_held:
        assert time.time() - began >= HARD_LIMIT_SECONDS
    [again] = read_ended(tmp_path, "worker")
    assert (again.plugin, again.is_new) == ("channel odd", False)
    assert list(read_ended(tmp_path, "panel")) == [], "another role's"


def test_the_slot_of_a_process_that_lives_or_ended_in_order_says_nothing(tmp_path) -> None:
    slot = CallSlot()
    number = slot.number_of("channel odd")
    slot.open(tmp_path, "worker")
    slot.view[0] = number
    assert list(read_ended(tmp_path, "worker")) == []
    slot.close()
    assert list(read_ended(tmp_path, "worker")) == []
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_ended_long_ago_is_forgotten(tmp_path, monkeypatch) -> None:
    slot = CallSlot()
    slot.open(tmp_path, "worker")
    slot.view[0] = slot.number_of("channel odd")
    _end(slot)
    monkeypatch.setattr(call_slot, "KEPT_SECONDS", 0.0)
    assert list(read_ended(tmp_path, "worker")) == []
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_ended_outside_a_call_is_forgotten(tmp_path) -> None:
    slot = CallSlot()
    slot.number_of("channel odd")
    slot.open(tmp_path, "worker")
    _end(slot)
    assert list(read_ended(tmp_path, "worker")) == []
    assert list(tmp_path.iterdir()) == []


def _end(slot: CallSlot) -> None:
    """Unlock the slot, as the end of its process does."""
    fcntl.flock(slot.file, fcntl.LOCK_UN)
    slot.file.close()


def test_more_plugins_than_the_slot_has_room_for_have_no_number() -> None:
    slot = CallSlot()
    numbers = [slot.number_of(f"channel {n}") for n in range(100)]
    assert sorted(set(numbers)) == list(range(64))
    assert slot.number_of("channel 0") == 1
