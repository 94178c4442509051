"""Why the embedded servers did not start, in sentences for the person at the terminal."""

ELSEWHERE = (
    "Set DATABASE_URL and REDIS_URL to servers of your own (PostgreSQL 15 or newer, Redis 6.2)."
)


class EmbeddedError(Exception):
    """The embedded servers could not be started or stopped."""


class EmbeddedUnavailable(EmbeddedError):  # noqa: N818  a state of the machine, no mistake
    """This machine cannot run the embedded servers; the sentence names the way out."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The embedded PostgreSQL and Redis cannot run here: {reason}. {ELSEWHERE}"
        )


class HomeInUseError(EmbeddedError):
    """Another product runs in this home folder."""
