"""PostgreSQL's own programs of the embedded server's version."""

import os
import subprocess
from pathlib import Path

from prawko_embedded.binaries import POSTGRES_FOLDER, locate_wheels
from prawko_tenants.urls import to_libpq_variables

POSTGRES_PROGRAMS = locate_wheels() / POSTGRES_FOLDER / "bin"


def run_program(
    name: str, *arguments: str | Path, url: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run one of PostgreSQL's programs."""
    environment = {"PATH": os.environ["PATH"]} | to_libpq_variables(url) | variables
    return subprocess.run(
        [POSTGRES_PROGRAMS / name, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
