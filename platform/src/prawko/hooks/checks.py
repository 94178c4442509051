"""An optional method of every object that a plugin offers: a check whether it would work now."""

from typing import Protocol, runtime_checkable


@runtime_checkable
class Checkable(Protocol):
    """A register, channel, payment provider or issuer that can be asked whether it would work."""

    async def check(self) -> str:
        """Ask the provider whether it would serve us, and change nothing there.

        No message is sent, no payment made, no document looked up. Called by `prawko plugins
        --check` and from the console, never by the product itself. Returns one line for operators,
        such as the credit that is left, or an empty text; never a secret. Raises the error of its
        kind, or ProviderAccountError.
        """
        ...
