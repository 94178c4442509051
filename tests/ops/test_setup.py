"""`make setup` keeps what somebody else installed into the environment."""

import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UV = Path(sys.executable).parent / "uv"


def write_metadata(site: Path, name: str, version: str) -> Path:
    """Write a distribution without files, as an installer leaves it."""
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "INSTALLER").write_text("pip\n")
    (info / "RECORD").write_text(
        "".join(f"{info.name}/{file},,\n" for file in ("METADATA", "INSTALLER", "RECORD"))
    )
    return info


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="a server is downloaded there")
def test_the_packages_of_others_are_kept(tmp_path) -> None:
    environment = tmp_path / "venv"
    venv.create(environment)
    (environment / "bin/uv").symlink_to(UV)
    [site] = environment.glob("lib/python*/site-packages")
    [version] = re.findall(r"^UV_VERSION := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    write_metadata(site, "uv", version)
    foreign = write_metadata(site, "prawko-channel-pigeon", "1.0")
    lock = tmp_path / "requirements.lock"
    lock.write_text("")
    for mark in (".uv", ".node"):
        (environment / mark).touch()

    result = subprocess.run(
        [
            "make", f"VENV={os.path.relpath(environment, ROOT)}", "MEMBERS=",
            f"LOCK={os.path.relpath(lock, ROOT)}",
            f"{os.path.relpath(environment, ROOT)}/.packages",
        ],
        cwd=ROOT, env={**os.environ, "UV_OFFLINE": "1"}, capture_output=True, text=True,
        check=False, timeout=120,
    )  # fmt: skip

    assert result.returncode == 0, result.stderr
    assert (environment / ".packages").is_file()
    assert foreign.is_dir()
