"""The watchdog reads the main thread's frame without stopping the process."""

import subprocess
import sys

import pytest

SECONDS = 60
# Garbage collections are due in the middle of the reads, and destroy objects of `threading.local`.
PROGRAM = """
import gc, threading, time
from prawko.base.plugins.watchdog import _current_frame

def nap():
    time.sleep(0.0005)

def take_naps():
    while True:
        nap()

def discard_local():
    cycle = [threading.local()]
    cycle[0].cycle = cycle

for _ in range(8):
    threading.Thread(target=take_naps, daemon=True).start()
main_thread = threading.main_thread().ident
for number in range(3000):
    gc.disable()
    for _ in range(3):
        discard_local()
    gc.set_threshold(gc.get_count()[0] + 2 + number % 6)
    gc.enable()
    assert _current_frame(main_thread) is not None
    assert gc.isenabled()
"""


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="collects no garbage in the middle of it")
def test_a_garbage_collection_while_a_frame_is_read_stops_no_process() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, timeout=SECONDS, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
