"""Rings that leave only when the transaction they belong to has been kept."""

from typing import ParamSpec

from prawko.base.jobs import Job, Queue

P = ParamSpec("P")


class AfterCommit:
    """Collects rings during a transaction; `ring` sends them after its commit."""

    def __init__(self) -> None:
        self._rings: list[tuple[Job[...], dict[str, object]]] = []

    def put(self, job: Job[P], *args: P.args, **kwargs: P.kwargs) -> None:
        """Ring for `job` once the commit stands."""
        self._rings.append((job, dict(kwargs)))

    async def ring(self, queue: Queue) -> None:
        """Send what was collected, each ring once."""
        rings, self._rings = self._rings, []
        sent: list[tuple[Job[...], dict[str, object]]] = []
        for ring in rings:
            if ring not in sent:
                sent.append(ring)
                await queue.put(ring[0], **ring[1])
