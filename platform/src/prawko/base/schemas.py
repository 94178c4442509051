"""The look of JSON on our doors: camel case, nothing unknown let in, no defaults going out."""

import msgspec


class Incoming(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """A request's body."""


class Outgoing(msgspec.Struct, rename="camel", kw_only=True):
    """An answer's body."""


class Done(Outgoing):
    """The answer of a call that has nothing else to say."""

    ok: bool
