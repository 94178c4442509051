"""The OpenAPI documents from their files: to build them takes seconds in each process.

`web/test_openapi.py` and `frozen` compare the files with what the applications serve.
"""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

TESTS = Path(__file__).parents[1]
PANEL = TESTS.parent / "frontend/openapi.json"
CONSOLE = TESTS / "frozen/console-openapi.json"


@cache
def read_paths(file: Path = PANEL) -> dict[str, dict[str, Any]]:
    """Return the operations by path and verb."""
    paths: dict[str, dict[str, Any]] = msgspec.json.decode(file.read_bytes())["paths"]
    return paths


@cache
def read_operations(file: Path = PANEL) -> dict[str, tuple[str, str]]:
    """Return each operation's verb and path by its id."""
    return {
        operation["operationId"]: (verb.upper(), path)
        for path, verbs in read_paths(file).items()
        for verb, operation in verbs.items()
    }
