"""E-mail addresses for property tests."""

import string

from hypothesis import strategies as st

from prawko.accounts.email_address import MAX_LENGTH

_ALPHANUMERIC = string.ascii_letters + string.digits
_LOCAL_CHARACTERS = _ALPHANUMERIC + "!#$%&'*+/=?^_`{|}~-"


def email_addresses() -> st.SearchStrategy[str]:
    """Addresses that every validator accepts.

    Without what few mail servers take: a hyphen at the edge of a label or twice in a row,
    top-level domains that end with a digit, and what looks like an encoded word. At most 64
    characters before the @, 63 between the dots behind it, and MAX_LENGTH in all.
    """
    atoms = st.text(_LOCAL_CHARACTERS, min_size=1, max_size=15)
    labels = _joined(st.text(_ALPHANUMERIC, min_size=1, max_size=15), "-")
    letters = st.sampled_from(string.ascii_letters)
    top_level = st.builds(lambda label, letter: label[:62] + letter, labels, letters)
    domains = st.builds("{}.{}".format, _joined(labels, "."), top_level)
    addresses = st.builds("{}@{}".format, _joined(atoms, "."), domains)
    return addresses.filter(lambda one: len(one) <= MAX_LENGTH and "=?" not in one)


def _joined(parts: st.SearchStrategy[str], separator: str) -> st.SearchStrategy[str]:
    """One part to four, with the separator between them."""
    return st.lists(parts, min_size=1, max_size=4).map(separator.join)
