"""Encrypted values can be decrypted with their key, in their row, unmodified."""

import pytest

from prawko.kit.crypto import Cipher, DecryptionError, KeyRing

OLD, NEW = bytes(32), bytes([1]) * 32


def test_an_encrypted_value_decrypts_in_its_own_row_only() -> None:
    cipher = Cipher({"new": NEW})
    encrypted = cipher.encrypt(b"answer", associated_data=b"row 1")

    assert b"answer" not in encrypted
    assert cipher.decrypt("new", encrypted, associated_data=b"row 1") == b"answer"
    with pytest.raises(DecryptionError):
        cipher.decrypt("new", encrypted, associated_data=b"row 2")


def test_old_keys_decrypt_and_the_first_encrypts() -> None:
    encrypted = Cipher({"old": OLD}).encrypt(b"answer", associated_data=b"")
    cipher_of_both = Cipher({"new": NEW, "old": OLD})

    assert cipher_of_both.current_key_id == "new"
    assert cipher_of_both.decrypt("old", encrypted, associated_data=b"") == b"answer"


def test_a_missing_key_raises_an_error() -> None:
    encrypted = Cipher({"old": OLD}).encrypt(b"answer", associated_data=b"")

    with pytest.raises(DecryptionError, match="old"):
        Cipher({"new": NEW}).decrypt("old", encrypted, associated_data=b"")


def test_a_changed_value_does_not_decrypt() -> None:
    cipher = Cipher({"new": NEW})
    encrypted = bytearray(cipher.encrypt(b"answer", associated_data=b""))
    encrypted[-1] ^= 1

    with pytest.raises(DecryptionError):
        cipher.decrypt("new", bytes(encrypted), associated_data=b"")


def test_every_purpose_has_a_key_of_its_own() -> None:
    keys = KeyRing(b"secret" * 6)

    assert keys.derive_key("one") != keys.derive_key("two")
    assert keys.digest("one", "code") != keys.digest("two", "code")
    assert keys.digest("one", "code") == KeyRing(b"secret" * 6).digest("one", "code")
