"""The folders keep the promises that the README makes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from prawko.hooks import specs

ROOT = Path(__file__).parents[2]
TOPS = ("platform", "tenants", "plugins", "migrations")
PYTHON = sorted(path for top in TOPS for path in (ROOT / top).rglob("*.py"))


@pytest.mark.parametrize("folder", ["platform", "tenants", "plugins"])
def test_top_folders_are_no_packages(folder) -> None:
    # `platform` would shadow the standard library for everything started in the root.
    assert not (ROOT / folder / "__init__.py").exists()


def test_imports_go_one_way() -> None:
    linter = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([linter], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_no_module_holds_more_than_one_thing() -> None:
    long = {path.name: n for path in PYTHON if (n := len(path.read_text().splitlines())) > 400}
    assert long == {}


def test_nothing_is_left_for_later() -> None:
    mark = re.compile("TO" + "DO|FIX" + "ME|XX" + "X")
    found = [path.name for path in PYTHON if mark.search(path.read_text())]
    assert found == []


def test_lock_files_name_no_servers() -> None:
    named = ("requirements.lock", "tests/*/requirements.lock", "frontend/package-lock.json")
    locks = [path for name in named for path in ROOT.glob(name)]
    for lock in locks:
        text = lock.read_text()
        assert '"resolved"' not in text, lock
        assert not re.search(
            r"--(index|extra-index)-url|^https?://| @ https?://", text, re.MULTILINE
        ), lock


def test_sql_stands_in_no_controller_or_service() -> None:
    for path in PYTHON:
        if path.stem in {"controller", "service", "schemas", "errors"}:
            assert "from sqlalchemy import" not in path.read_text(), path


def test_only_the_edge_commits() -> None:
    committing = {str(path.relative_to(ROOT)) for path in PYTHON if ".commit()" in path.read_text()}
    assert committing == {
        "tenants/src/prawko_tenants/engine.py",  # requests and batches
        "migrations/src/prawko_migrations/env.py",  # migrations
    }


def test_every_hook_is_documented() -> None:
    guide = (ROOT / "docs" / "plugins.md").read_text()
    hooks = [name for name in vars(specs) if hasattr(getattr(specs, name), "prawko_spec")]
    assert hooks
    for name in hooks:
        assert f"`{name}(" in guide


def test_every_linked_file_exists() -> None:
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")):
        for link in re.findall(r"\]\(([^)#]+)", page.read_text()):
            if not link.startswith("http"):
                assert (page.parent / link).exists(), f"{page.name} links to {link}"


def test_decisions_are_numbered_without_a_gap() -> None:
    numbers = sorted(int(p.name[:4]) for p in (ROOT / "docs" / "decisions").glob("*.md"))
    assert numbers == list(range(1, len(numbers) + 1))
