"""Plugins of strangers, installed in folders of their own."""

import base64
import os
import subprocess
import tomllib
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from prawko.apps.cli.plugins import plugins
from support.processes import PRAWKO

STARTING = {
    "DATABASE_URL": "postgresql://app:x@127.0.0.1/prawko",
    "REDIS_URL": "redis://127.0.0.1",
    "SECRET_KEY": base64.urlsafe_b64encode(bytes(range(32))).decode(),
    "REGISTER": "public",
    "REGISTER_PUBLIC_URL": "https://127.0.0.1:1",
    "CHANNEL_SMTP_HOST": "127.0.0.1",
    "CHANNEL_SMTP_SENDER": "Prawko <prawko@prawko.test>",
}
"""With these variables and the plugins of this repository every process would start."""


def install_plugin(
    folder: Path,
    module: str,
    distribution: str = "prawko-channel-pigeon",
    *,
    version: str = "1.0",
    name: str = "pigeon",
    entry: str = "",
    group: str = "prawko",
) -> Path:
    """Write a module and a distribution's metadata, as an installer leaves them.

    `entry` is what the entry point `pigeon` names, if it is not the module `name`.
    """
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.py").write_text(module)
    info = folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
    )
    (info / "entry_points.txt").write_text(f"[{group}]\npigeon = {entry or name}\n")
    return folder


def add_metadata(plugin: Path) -> Path:
    """Write beside the sources what an installer would write; return the folder for the path."""
    project = tomllib.loads((plugin / "pyproject.toml").read_text())["project"]
    source = plugin / "src"
    info = source / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    entries = project["entry-points"]["prawko"].items()
    (info / "entry_points.txt").write_text(
        "[prawko]\n" + "".join(f"{name} = {module}\n" for name, module in entries)
    )
    return source


def list_plugins(*options: str, **variables: str) -> tuple[int, str]:
    """Run `prawko plugins` in this process; return its exit code and what it prints."""
    with redirect_stdout(StringIO()) as printed:
        code = plugins.main(list(options), obj=variables, standalone_mode=False)
    return code, printed.getvalue()


def run_prawko(
    *arguments: str, folders: Sequence[Path], **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a command with these folders at the beginning of Python's path."""
    path = os.pathsep.join([*map(str, folders), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [PRAWKO, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": path, **variables},
    )
