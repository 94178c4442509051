"""A queue that hands rings to nobody: whoever rang runs them in the end."""

from typing import Any, ParamSpec

from prawko.base.jobs import Job, Tools

P = ParamSpec("P")


class Errands:
    """Keeps each ring once until it is run."""

    def __init__(self) -> None:
        self._rings: list[tuple[Job[Any], dict[str, object]]] = []

    async def put(self, job: Job[P], *_args: P.args, **kwargs: P.kwargs) -> None:
        ring = (job, dict(kwargs))
        if ring not in self._rings:
            self._rings.append(ring)

    async def run(self, tools: Tools) -> None:
        """Run what was rung for, and what that rings for, until nothing is left."""
        while self._rings:
            job, arguments = self._rings.pop(0)
            await job(tools, **arguments)

    async def close(self) -> None:
        """There is nothing to give back."""
