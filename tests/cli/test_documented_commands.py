"""Every command in the documents exists, with the arguments and options that stand there."""

import re
import shlex
from pathlib import Path

import click
import pytest

from prawko.apps.cli.main import prawko

ROOT = Path(__file__).parents[2]
PAGES = [
    *ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "compose.yaml",
    *(path for path in (ROOT / "platform" / "deploy").rglob("*") if path.is_file()),
]  # fmt: skip
# Between backticks, in a block of commands, in a container of `migrate`, or by the server's script.
CALL = re.compile(
    r"(?:`(?:[A-Z_]+=\S+ )*|^(?:[A-Z_]+=\S+ )*|/bin/)prawko (?P<prawko>[a-z][^`\n]*)"
    r"|(?:compose run --rm migrate|prawko-command(?: --as [a-z]+)?) (?P<other>[a-z][^`\n]*)",
    re.MULTILINE,
)
SHELL = {"|", "&&", ";", ">", "#"}
TARGETS = set(re.findall(r"^([a-z0-9-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))


def find_calls() -> list[tuple[str, str]]:
    """Return each different command line, with a page that has it."""
    calls: dict[str, str] = {}
    for page in PAGES:
        for found in CALL.finditer(page.read_text("utf-8", errors="ignore")):
            line = (found["prawko"] or found["other"]).strip()
            calls.setdefault(line, str(page.relative_to(ROOT)))
    return sorted((page, line) for line, page in calls.items())


def check_call(line: str) -> None:
    """Fail unless the command exists and takes what the line gives it."""
    words = shlex.split(re.sub(r"\$\([^)]*\)", "X", line.replace("…", "")))
    words = words[: next((at for at, word in enumerate(words) if word in SHELL), len(words))]
    command: click.Command = prawko
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        name = words.pop(0)
        assert name in command.commands, f"`{name}` is no command of `{command.name}`"
        command = command.commands[name]
    options = {
        text: one
        for one in command.params
        if isinstance(one, click.Option)
        for text in (*one.opts, *one.secondary_opts)
    }
    places = sum(one.nargs for one in command.params if isinstance(one, click.Argument))
    while words:
        word = words.pop(0)
        if word.startswith("-"):
            option = options.get(word.partition("=")[0])
            assert option is not None, f"`{command.name}` has no option {word}"
            if not option.is_flag and "=" not in word and words:
                words.pop(0)
        else:
            places -= 1
            assert places >= 0, f"`{command.name}` does not take {word}"


CALLS = find_calls()


@pytest.mark.parametrize(("page", "line"), CALLS, ids=[line for _, line in CALLS])
def test_a_documented_command_exists(page, line) -> None:
    check_call(line)


def test_the_calls_are_found() -> None:
    lines = [line for _, line in CALLS]
    assert len(lines) > 45
    for line in ("admin create you@example.com", "db provision --replication", "serve"):
        assert line in lines


@pytest.mark.parametrize(
    "line",
    ["srve", "db migrat", "db migrate --too 3", "company log ID ID2", "deliveries retry --wait"],
)
def test_a_mistake_is_found(line) -> None:
    with pytest.raises(AssertionError):
        check_call(line)


FOR_DEVELOPERS = {"demo", "openapi"}  # behind targets of make


def list_commands(group: click.Group, path: tuple[str, ...] = ()) -> list[str]:
    """Return the full names of all commands."""
    names = []
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            names += list_commands(command, (*path, name))
            if not command.invoke_without_command:
                continue
        names.append(" ".join((*path, name)))
    return names


@pytest.mark.parametrize("name", sorted({*list_commands(prawko)} - FOR_DEVELOPERS))
def test_every_command_is_documented(name) -> None:
    assert any(line == name or line.startswith(f"{name} ") for _, line in CALLS)


def test_every_documented_target_of_make_exists() -> None:
    named = {
        name
        for page in PAGES
        if page.suffix == ".md"
        for name in re.findall(r"`make ([a-z0-9-]+)", page.read_text("utf-8"))
    }

    assert named <= TARGETS
    assert {"demo", "test"} <= named


def test_every_documented_file_of_the_set_up_exists() -> None:
    named = {
        name.rstrip("./")
        for page in PAGES
        if page.suffix == ".md"
        for name in re.findall(r"platform/deploy/[\w./@-]+", page.read_text("utf-8"))
    }
    written = {"platform/deploy/prawko.env", "platform/deploy/secrets"}

    assert {
        name for name in named if not (ROOT / name).exists() and not name.startswith(tuple(written))
    } == set()
