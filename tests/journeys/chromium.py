"""The browser of the journeys: the machine's own Chromium, else the one an npm package carries."""

import os
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent / "browser"
UNPACKED = HERE / "node_modules" / ".chromium"
ARGUMENTS = [
    "--no-sandbox", "--no-zygote", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


def launch_options() -> dict[str, object]:
    """What Playwright needs to start the browser."""
    installed = shutil.which("chromium")
    if installed:
        return {"executable_path": installed, "args": ARGUMENTS}
    if not (UNPACKED / "fonts.conf").exists():
        subprocess.run(["node", "unpack.mjs", str(UNPACKED)], cwd=HERE, check=True)
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": str(UNPACKED / "lib"),
        "FONTCONFIG_FILE": str(UNPACKED / "fonts.conf"),
    }
    return {
        "executable_path": str(UNPACKED / "chromium"),
        "args": ARGUMENTS,
        "env": environment,
    }
