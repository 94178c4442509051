"""Writes files that only their owner can read."""

import os
from pathlib import Path

SECRET_FILE_MODE = 0o600


def write_secret_file(path: Path, content: bytes) -> None:
    """Write or replace a file atomically, with mode 0600 from the start."""
    draft = path.with_suffix(".new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    with os.fdopen(os.open(draft, flags, SECRET_FILE_MODE), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
