import pytest

from prawko.kit.http.compression import negotiate_encoding

SITE = ("br", "gzip")


@pytest.mark.parametrize(
    ("accept_encoding", "chosen"),
    [
        ("", None),
        ("identity", None),
        ("gzip", "gzip"),
        ("br", "br"),
        ("gzip, deflate, br, zstd", "br"),
        ("GZip", "gzip"),
        ("gzip;q=1.0, br;q=0.5", "gzip"),
        ("gzip;q=0.5, br;q=0.8", "br"),
        ("br;q=0, gzip", "gzip"),
        ("gzip;q=0", None),
        ("gzip;q=0.000", None),
        ("gzip ; Q = 0.3", "gzip"),
        ("*", "br"),
        ("br;q=0, *", "gzip"),
        ("*;q=0", None),
        ("gzip, *;q=0", "gzip"),
        ("identity, gzip;q=0.5", None),
        ("identity;q=0.5, gzip;q=0.5", "gzip"),
        ("deflate, x-gzip-2, brotli", None),
        ("gzip;q=2", None),
        ("gzip;q=-1, br;q=", None),
        ("gzip;q=0.1234, br;q=one", None),
        (",, ;q=1, gzip", "gzip"),
    ],
)
def test_the_encoding_is_the_one_that_the_client_likes_best(accept_encoding, chosen) -> None:
    assert negotiate_encoding(accept_encoding, SITE) == chosen


def test_an_encoding_that_is_not_available_is_not_chosen() -> None:
    assert negotiate_encoding("br, gzip;q=0.1", ("gzip",)) == "gzip"
    assert negotiate_encoding("br", ("gzip",)) is None
    assert negotiate_encoding("*", ()) is None
