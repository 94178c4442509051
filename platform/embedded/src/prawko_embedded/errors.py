"""Errors of the embedded servers; their messages are shown at the terminal."""

OWN_SERVERS_HINT = (
    "Set DATABASE_URL and REDIS_URL to servers of your own (PostgreSQL 15 or newer, Redis 6.2)."
)


class EmbeddedError(Exception):
    """The embedded servers could not be started or stopped."""


class EmbeddedUnavailableError(EmbeddedError):
    """This machine cannot run the embedded servers; the message names the alternative."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The embedded PostgreSQL and Redis cannot run here: {reason}. {OWN_SERVERS_HINT}"
        )


class HomeInUseError(EmbeddedError):
    """Another process uses this home folder."""
