"""Sealed values open with their own key, in their own row, unchanged."""

import pytest

from prawko.base.secrets import LostKeyError, Seal, Vault

OLD, NEW = bytes(32), bytes([1]) * 32


def test_a_sealed_value_opens_in_its_own_row_only() -> None:
    seal = Seal({"new": NEW})
    sealed = seal.close(b"answer", about=b"row 1")

    assert b"answer" not in sealed
    assert seal.open("new", sealed, about=b"row 1") == b"answer"
    with pytest.raises(LostKeyError):
        seal.open("new", sealed, about=b"row 2")


def test_old_keys_open_and_the_first_seals() -> None:
    sealed = Seal({"old": OLD}).close(b"answer", about=b"")
    both = Seal({"new": NEW, "old": OLD})

    assert both.current == "new"
    assert both.open("old", sealed, about=b"") == b"answer"


def test_a_lost_key_is_an_error_of_its_own() -> None:
    sealed = Seal({"old": OLD}).close(b"answer", about=b"")

    with pytest.raises(LostKeyError, match="old"):
        Seal({"new": NEW}).open("old", sealed, about=b"")


def test_a_changed_value_does_not_open() -> None:
    seal = Seal({"new": NEW})
    sealed = bytearray(seal.close(b"answer", about=b""))
    sealed[-1] ^= 1

    with pytest.raises(LostKeyError):
        seal.open("new", bytes(sealed), about=b"")


def test_every_purpose_has_a_key_of_its_own() -> None:
    vault = Vault(b"secret" * 6)

    assert vault.key("one") != vault.key("two")
    assert vault.digest("one", "code") != vault.digest("two", "code")
    assert vault.digest("one", "code") == Vault(b"secret" * 6).digest("one", "code")
