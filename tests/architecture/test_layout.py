"""Structure of the repository, as README and CONTRIBUTING describe it."""

import ast
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
    result = subprocess.run([linter], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


def test_no_module_is_longer_than_400_lines() -> None:
    long_modules = {
        path.name: n for path in PYTHON if (n := len(path.read_text().splitlines())) > 400
    }
    assert long_modules == {}


def test_there_are_no_markers_of_unfinished_work() -> None:
    marker = re.compile("TO" + "DO|FIX" + "ME|XX" + "X")
    offenders = [path.name for path in PYTHON if marker.search(path.read_text())]
    assert offenders == []


def test_lock_files_name_no_servers() -> None:
    lock_files = ("requirements.lock", "tests/*/requirements.lock", "*/package-lock.json")
    locks = [path for name in lock_files for path in ROOT.glob(name)]
    for lock in locks:
        text = lock.read_text()
        assert '"resolved"' not in text, lock
        assert not re.search(
            r"--(index|extra-index)-url|^https?://| @ https?://", text, re.MULTILINE
        ), lock


def test_controllers_and_services_import_no_sqlalchemy_core() -> None:
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


def test_everything_that_begins_first_exists() -> None:
    """A path of LONG_RUNNING that no longer exists would be ignored silently."""
    source = ast.parse((ROOT / "tests/conftest.py").read_text())
    [places] = [
        ast.literal_eval(node.value)
        for node in source.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "LONG_RUNNING"
    ]
    assert [place for place in places if not (ROOT / "tests" / place).exists()] == []
