"""Counts the modules of the product that run in a flow, from a trace of it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

SOURCES = f"{Path(__file__).parents[2]}/platform/src/"
# Packages that serve every request and job: they say nothing of a single flow.
MACHINERY = tuple(f"prawko/{name}/" for name in ("base", "web", "worker", "kit", "apps"))


@contextmanager
def record_modules() -> Iterator[set[str]]:
    """Collect the modules of the platform of which a function runs meanwhile.

    A module that only defines something (models, errors) runs no function and is not counted.
    Functions that run in another thread are not counted either.
    """
    modules: set[str] = set()

    def record(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(SOURCES) and _is_function(code.co_name):
            module = code.co_filename.removeprefix(SOURCES)
            if module.endswith(".py") and not module.startswith(MACHINERY):
                modules.add(module)

    previous = sys.getprofile()
    sys.setprofile(record)
    try:
        yield modules
    finally:
        sys.setprofile(previous)


def _is_function(name: str) -> bool:
    return name != "<module>"
