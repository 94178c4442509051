"""What others rely on is as it was; a change on purpose runs `python -m tests.frozen --write`."""

from pathlib import Path

import pytest

from frozen.interfaces import collect_interfaces

FOLDER = Path(__file__).parent
FILES = sorted(path.name for path in FOLDER.iterdir() if path.suffix in {".txt", ".json"})


@pytest.fixture(scope="module")
def interfaces() -> dict[str, str]:
    return collect_interfaces()


def test_each_file_is_compared(interfaces) -> None:
    assert sorted(interfaces) == FILES


@pytest.mark.parametrize("name", FILES)
def test_the_interface_is_as_it_was(interfaces, name) -> None:
    frozen = (FOLDER / name).read_text("utf-8").removesuffix("\n")

    assert interfaces[name].split("\n") == frozen.split("\n")
