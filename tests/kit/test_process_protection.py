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
