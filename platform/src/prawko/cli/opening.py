"""What operators' commands have in common: the tools of a process, and a word of complaint."""

import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

from prawko.base.jobs import Tools
from prawko.base.queue import SilentQueue
from prawko.base.start import close_tools, open_tools


@asynccontextmanager
async def opened(variables: Mapping[str, str]) -> AsyncGenerator[Tools]:
    """The tools of a process that rings nobody: workers find what a command wrote."""
    tools = open_tools(variables, queue=SilentQueue())
    try:
        yield tools
    finally:
        await close_tools(tools)


def as_owner(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables with the owner's login: what neither panel nor worker may do."""
    return {**variables, "DATABASE_URL": variables.get("OWNER_DATABASE_URL", "")}


def complain(why: str) -> int:
    """Say on the standard error why a command did nothing; returns its exit code."""
    print(why, file=sys.stderr)
    return 1
