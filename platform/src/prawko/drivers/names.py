"""First and last names as people type them, made fit to be stored and sent to the register."""

import unicodedata

from prawko.drivers.faults import Fault, UnfitTextError

MAX_LENGTH = 80
# Controls, formats, surrogates, private and unassigned characters, separators of lines: none
# is part of a name, and a line break in one could begin a mail's header or a line of a log.
_UNFIT = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def read_name(text: str) -> str:
    """Return the name in Unicode's composed form, without blanks around it or doubled in it.

    Raises UnfitTextError when it is empty, over 80 characters, or holds what cannot be seen.
    """
    composed = unicodedata.normalize("NFC", text)
    if any(unicodedata.category(character) in _UNFIT for character in composed):
        raise UnfitTextError(Fault.CHARACTERS)
    name = " ".join(composed.split())
    if not name:
        raise UnfitTextError(Fault.MISSING)
    if len(name) > MAX_LENGTH:
        raise UnfitTextError(Fault.TOO_LONG)
    return name
