"""Files that providers publish about their APIs, if a folder of them is available."""

import os
from pathlib import Path

import pytest


def require_peer_spec(name: str) -> Path:
    """Return a file of the folder PEERS_DIR; without it, skip the test with a message."""
    folder = os.environ.get("PEERS_DIR")
    path = Path(folder or "", name)
    if not folder or not path.is_file():
        pytest.skip(f"not compared with {name}: PEERS_DIR names no folder with it")
    return path
