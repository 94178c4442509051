"""The browser of the journeys: the headless shell that an npm package carries.

It has no windows to keep, so a journey costs half the processor time that it costs in a machine's
own Chromium, which is taken where the shell does not run.
"""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent / "browser"
UNPACKED = HERE / "node_modules" / ".chromium"
LIBRARIES = {
    "LD_LIBRARY_PATH": str(UNPACKED / "lib"),
    "FONTCONFIG_FILE": str(UNPACKED / "fonts.conf"),
}
ARGUMENTS = [
    "--no-sandbox", "--no-zygote", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


def launch_options() -> dict[str, object]:
    """What Playwright needs to start the browser."""
    unpack()
    shell, environment = UNPACKED / "chromium", {**os.environ, **LIBRARIES}
    tried = subprocess.run([shell, "--version"], env=environment, capture_output=True, check=False)
    installed = shutil.which("chromium")
    if tried.returncode and installed:
        return {"executable_path": installed, "args": ARGUMENTS}
    return {"executable_path": str(shell), "args": ARGUMENTS, "env": environment}


def unpack() -> None:
    """Once, though several workers begin together."""
    with (HERE / "node_modules" / ".chromium.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (UNPACKED / "fonts.conf").exists():  # it is written last
            subprocess.run(["node", "unpack.mjs", str(UNPACKED)], cwd=HERE, check=True)
