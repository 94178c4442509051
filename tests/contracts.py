"""What providers themselves published of their interfaces, where a folder of it is at hand."""

import os
from pathlib import Path

import pytest


def published(name: str) -> Path:
    """A file of the folder that PEERS_DIR names; without it the test is skipped and says so."""
    folder = os.environ.get("PEERS_DIR")
    path = Path(folder or "", name)
    if not folder or not path.is_file():
        pytest.skip(f"nothing is compared with {name}: PEERS_DIR names no folder that has it")
    return path
