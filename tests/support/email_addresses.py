"""E-mail addresses for property tests."""

from hypothesis import strategies as st

from prawko.accounts.email_address import MAX_LENGTH

# Without what few mail servers take: a hyphen at the edge of a label or twice in a row, and
# top-level domains that end with a digit.
_ADDRESS = (
    r"[!#-'*+/0-9=?A-Z^-~-]+(\.[!#-'*+/0-9=?A-Z^-~-]+)*"
    r"@([A-Za-z0-9]+(-[A-Za-z0-9]+)*\.)+([A-Za-z0-9]+-)*[A-Za-z0-9]*[A-Za-z]"
)


def email_addresses() -> st.SearchStrategy[str]:
    """Addresses that every validator accepts."""
    return st.from_regex(_ADDRESS, fullmatch=True).filter(_has_allowed_lengths)


def _has_allowed_lengths(address: str) -> bool:
    """At most 64 characters before the @, 63 between the dots behind it, 254 in all."""
    local, _, domain = address.partition("@")
    return (
        len(local) <= 64 and max(map(len, domain.split("."))) <= 63 and len(address) <= MAX_LENGTH
    )
