"""A changed signature of the hooks needs a new version, and its entry in the list of changes."""

from hashlib import sha256

from prawko.apps.cli.hooks_page import CHANGES, list_signatures, render_hooks_page
from prawko.hooks import VERSION

# Of each version the digest of its signatures: a line is added, never changed.
FROZEN = {"1.1": "446579a0c0826696", "1.2": "b5ee22091f38e1fd"}


def test_a_changed_signature_has_a_version_with_an_entry() -> None:
    digest = sha256("\n".join(list_signatures()).encode()).hexdigest()[:16]

    assert FROZEN.get(VERSION) == digest, (
        f"the signatures of the hooks changed: grow VERSION, name the change in CHANGES, and add "
        f"{digest} here"
    )
    assert CHANGES[VERSION]
    assert next(iter(CHANGES)) == VERSION


def test_the_reference_marks_what_a_version_brought() -> None:
    page = render_hooks_page()

    assert "### PushChannel (Channel, Protocol)\n\nSince 1.1.\n" in page
    assert "Since 1.1: `push`.\n" in page
    names = {line.split()[1] for line in page.splitlines() if line.startswith("### ")}
    assert {name for changed in CHANGES.values() for name in changed} <= names
