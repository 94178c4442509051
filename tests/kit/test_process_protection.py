"""Processes of the product, and another process of the same user."""

import subprocess
import sys

import pytest

SCRIPT = """
import ctypes, os, subprocess
from {module} import {function}
if os.getuid() == 0:  # whom nothing is hidden from
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
    ctypes.CDLL(None).prctl(4, 1)  # as any process that has not changed its user
{call}
for name in ("environ", "mem"):
    print(subprocess.run(["/bin/dd", f"if=/proc/{{os.getpid()}}/{{name}}", "count=0"]).returncode)
"""


@pytest.mark.parametrize(
    ("module", "function", "call", "readable"),
    [
        ("os", "getpid", "getpid()", True),  # the script proves something
        ("prawko.apps.cli.main", "main", "main(['--help'])", False),
        ("prawko.apps.web.asgi", "_become_server_process", "_become_server_process()", False),
        ("prawko.kit.process_protection", "read_content", "read_content()", False),
    ],
)
def test_another_process_of_the_user_reads_neither_environment_nor_memory(
    module, function, call, readable
) -> None:
    script = SCRIPT.format(module=module, function=function, call=call)
    shown = subprocess.run(
        [sys.executable, "-c", script], stdin=subprocess.DEVNULL, capture_output=True, text=True,
        check=True, timeout=60,
    ).stdout  # fmt: skip

    assert shown.split()[-2:] == (["0", "0"] if readable else ["1", "1"])


FREED = """
import os
from pathlib import Path
from prawko.apps.web.asgi import _become_server_process
{call}
def size():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
before, kept = size(), []
bytearray(20_000_000)  # the allocator takes its threshold from what is freed
bodies = []
for _ in range(50):
    bodies.append(bytearray(2_000_000))
    kept.append(bytearray(1000))
bodies.clear()
print((size() - before) // 1_000_000)
"""


@pytest.mark.parametrize(("call", "is_returned"), [("", False), ("_become_server_process()", True)])
def test_a_panel_returns_the_memory_of_large_bodies(call, is_returned) -> None:
    shown = subprocess.run(
        [sys.executable, "-c", FREED.format(call=call)], capture_output=True, text=True,
        check=True, timeout=60,
    ).stdout  # fmt: skip

    assert (int(shown) < 10) is is_returned
