"""English of comments, docstrings and documents: words that made readers decode a sentence."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from architecture.named_tests import FRONTEND_TITLE
from architecture.syntax_trees import list_nodes, list_prose, parse_file

ROOT = Path(__file__).parents[2]
UNCLEAR = re.compile(r"\b(whoever|told|gone|nobody\b[^.;:]*\bbut)\b", re.IGNORECASE)
UNCLEAR_TITLE = re.compile(r"nobody|whoever|(?<![a-z])(?:gone|told)(?![a-z])")
UNCLEAR_NAME = re.compile(r"(?:^|_)(?:whoever|gone|told|untold)(?:_|$)")
PYTHON_TITLE = re.compile(r"^ *(?:async )?def (test_\w+)", re.MULTILINE)
# Sentences that still have to be rewritten. This figure only falls.
REMAINING = 0
GLOSSARY_ROWS = 115


def test_sentences_name_the_actor_in_plain_words() -> None:
    unclear = [
        f"{path.relative_to(ROOT)}: {match.group()}: {' '.join(text.split())[:100]}"
        for path in _tracked_files()
        for text in _prose(path)
        for match in UNCLEAR.finditer(text)
    ]

    assert len(unclear) <= REMAINING, "\n".join(unclear)


def test_titles_of_tests_name_the_actor_in_plain_words() -> None:
    unclear = [
        f"{path.relative_to(ROOT)}: {title}"
        for place, is_title in (
            ("tests/**/test_*.py", PYTHON_TITLE),
            ("*/src/**/*.test.ts*", FRONTEND_TITLE),
        )
        for path in ROOT.glob(place)
        for title in is_title.findall(path.read_text())
        if UNCLEAR_TITLE.search(title)
    ]

    assert not unclear, "\n".join(unclear)


def test_identifiers_are_plain_words() -> None:
    unclear = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in _tracked_files()
        if path.suffix == ".py"
        for node in list_nodes(parse_file(path))
        for name in (getattr(node, field, None) for field in ("id", "name", "arg", "attr"))
        if isinstance(name, str) and UNCLEAR_NAME.search(name)
    }

    assert not unclear, "\n".join(sorted(unclear))


def test_the_glossary_has_words_of_the_product_only() -> None:
    page = (ROOT / "docs" / "domain.md").read_text()
    rows = re.findall(r"^\| (?!Word )\S.*\|$", page, re.MULTILINE)

    assert 50 < len(rows) <= GLOSSARY_ROWS


def _tracked_files() -> Iterator[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md", "*.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.split():
        path = ROOT / name
        if path != Path(__file__) and path.exists():
            yield path


def _prose(path: Path) -> list[str]:
    """The paragraphs of a document; the comments and docstrings of a module."""
    return path.read_text().split("\n") if path.suffix == ".md" else list_prose(path)
