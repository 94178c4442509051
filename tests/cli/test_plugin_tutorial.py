"""docs/plugin-tutorial.md, as a newcomer follows it: its files are written, its commands run."""

import os
import re
import shlex
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.plugins import add_metadata

PAGE = Path(__file__).parents[2] / "docs" / "plugin-tutorial.md"
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PORT_OF_THE_PAGE = "8765"


class Newcomer:
    """A terminal in an empty folder."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = str(probe.getsockname()[1])
        self._folder = folder
        programs = Path(sys.executable).parent
        self._variables = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        self._servers: list[subprocess.Popen[bytes]] = []

    def write(self, file: str, text: str) -> None:
        path = self._folder / file
        assert path.exists(), "the page replaces files of the new plugin"
        path.write_text(text, encoding="utf-8")

    def run(self, command: str) -> str:
        """Run one line of the page and return its output."""
        command = command.replace(PORT_OF_THE_PAGE, self._port)
        word, _, rest = command.partition(" ")
        if word == "cd":
            self._folder /= rest
        elif word == "export":
            name, _, value = rest.partition("=")
            self._variables[name] = value
        elif command.startswith("pip install -e"):  # as the installer would; nothing is downloaded
            self._add_to_path(add_metadata(self._folder))
        elif command.endswith("&"):
            self._serve(shlex.split(command.removesuffix("&")))
        else:
            return self._execute(shlex.split(command))
        return ""

    def close(self) -> None:
        for server in self._servers:
            server.terminate()
            server.wait()

    def _add_to_path(self, source: Path) -> None:
        known = self._variables.get("PYTHONPATH", "")
        self._variables["PYTHONPATH"] = f"{source}{os.pathsep}{known}"

    def _execute(self, command: list[str]) -> str:
        if command[0] == "pytest":
            command = [sys.executable, "-m", *command, "-p", "no:cacheprovider"]
        result = subprocess.run(
            command, cwd=self._folder, env=self._variables, capture_output=True, text=True,
            check=False, timeout=240,
        )  # fmt: skip
        assert not result.stderr, result.stderr
        return result.stdout

    def _serve(self, command: list[str]) -> None:
        server = subprocess.Popen(
            [sys.executable, *command[1:]], cwd=self._folder, env=self._variables,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._servers.append(server)
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", int(self._port))) == 0:
                    return
            time.sleep(0.1)
        pytest.fail(f"{command} does not listen")


@pytest.fixture
def newcomer(tmp_path):
    terminal = Newcomer(tmp_path)
    yield terminal
    terminal.close()


def test_the_page_does_what_it_says(newcomer) -> None:
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert {kind for kind, _, _ in blocks} == {"console", "python"}

    for kind, file, text in blocks:
        if kind == "python":
            newcomer.write(file, text)
            continue
        output = ""
        for line in text.splitlines():
            if line.startswith("$ "):
                output = newcomer.run(line.removeprefix("$ "))
            else:
                assert line in output, output
                output = output.partition(line)[2]
