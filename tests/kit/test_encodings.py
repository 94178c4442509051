"""The encoding of a file is recognised, or the file is refused: no letter becomes another one."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.kit.text.encodings import decode_text

ENCODINGS = ["utf-8", "utf-16", "cp1250", "iso8859_2", "mac_latin2", "cp852"]
REFUSED = ["cp1252", "mac_roman", "cp850", "cp1257"]
NAMES = [
    "Żaneta", "Łukasz", "Paweł", "Kuźma", "Świętosława", "Zdzisław", "Elżbieta", "Józef", "Grażyna",
    "Błażej", "Ścibor", "Jan", "Ewa", "Łęcka-Wójcik", "Król", "Wąsik", "Dąbrowski", "Woźniak",
    "Kaźmierczak", "Pająk", "Świątek", "Źrebiec", "Ćwik", "Księżak", "Żółć", "Gżegżółka", "Schön",
    "Dvořák", "Šimek", "Nowak", "Schäfer", "Bär", "Muñoz", "Novák", "Horváth", "Müller", "Růžička",
    "Ťapák", "Martínez", "Jürgen", "Kjær", "Håkan", "Bjørn", "Lévêque", "Sæther", "Mišić", "Kråkmo",
    "Bździuch", "Zduńczyk-Drżał", "Luboš", "Bartoš", "Dušan", "Žofia", "Mżyk", "Kovačević",
    "Çelik",
]  # fmt: skip
# Each is another possible name in an encoding of Poland, and has no other letter to tell.
AMBIGUOUS = {"cp850": {"Kråkmo"}, "cp1257": {"Bździuch"}}


@pytest.mark.parametrize("encoding", [*ENCODINGS, *REFUSED])
@given(st.lists(st.sampled_from(NAMES + [name.upper() for name in NAMES]), min_size=1, max_size=9))
def test_no_letter_of_a_name_becomes_another(encoding, names) -> None:
    ambiguous = AMBIGUOUS.get(encoding, set())
    known = [one for one in names if one.title() not in ambiguous]
    text = ";".join(one for one in known if b"?" not in one.encode(encoding, "replace"))

    assert decode_text(text.encode(encoding)) in {text, None}


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("mac_latin2", "Luboš;Luboš;Luboš;SCHÄFER"),
        ("mac_latin2", "Bartoš;Wąsik;Bartoš;Wąsik;Bartoš;Wąsik"),
        ("cp1257", "BJØRN;BJØRN;BJØRN"),
        ("cp1257", "Schäfer;BJØRN;Bär"),
    ],
)
def test_names_that_drivers_share_are_no_further_evidence(encoding, text) -> None:
    assert decode_text(text.encode(encoding)) in {text, None}


@pytest.mark.parametrize("encoding", [*ENCODINGS, *REFUSED])
@pytest.mark.parametrize("name", NAMES)
def test_the_only_name_of_a_file_is_read_or_refused(encoding, name) -> None:
    texts = () if name in AMBIGUOUS.get(encoding, ()) else (name, name.upper())
    for text in texts:
        content = text.encode(encoding, "replace")
        assert decode_text(content) in {content.decode(encoding), None}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", ["Łukasz Kuźma", "Józef Wąsik", "Elżbieta Świątek", "PAWEŁ ŻAK"])
def test_a_single_name_is_enough(encoding, name) -> None:
    assert decode_text(name.encode(encoding)) == name


@pytest.mark.parametrize(
    "text",
    [
        "KSIĘŻAK", "Jan\xa0Müller", "„Łoś” \u2013 Żak", "Mżyk", "GIEŁŻYŃSKI",
        "Kovačević;Milošević;Łoś;Żak;Pająk;Wąs",
    ],
)  # fmt: skip
def test_what_fits_other_encodings_as_well_is_read_as_polish(text) -> None:
    assert decode_text(text.encode("cp1250")) == text


@pytest.mark.parametrize("text", ["Олександр Шевченко", "Nguyễn Thị", "Jan", "-\u2212-"])
def test_utf_8_of_any_script_is_read(text) -> None:
    assert decode_text(text.encode()) == text


@pytest.mark.parametrize(
    "text", ["\ufeffJan", "\ufeffJan Ř", "Wo\u0301jcik", "Kuz\u0301ma, Kuz\u0301ma"]
)
def test_utf_8_is_known_by_its_mark_and_by_letters_with_marks(text) -> None:
    assert decode_text(text.encode()) == text.removeprefix("\ufeff")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"a\0b",
        b"%PDF-1.7",
        "Jan Król".encode()[:7],
        "Jan Kowalską".encode()[:-1],
        "Żaneta Król, Łu".encode() + b"\xc5",
        "Олександр Шевченко".encode("cp1251"),
        "Γιώργος Παπαδόπουλος".encode("cp1253"),
        "Y\u0131lmaz Şahin".encode("cp1254"),
        "Dvořák".encode("cp1250"),
        "Żaneta Łęcka".encode("cp1257"),
        "Michał Święs".encode("cp1257"),
        "Michał Zieliński".encode("cp775"),
        "Kråkmo".encode("cp850"),
    ],
)
def test_what_is_unclear_is_refused(content) -> None:
    assert decode_text(content) is None


def test_one_word_of_the_length_of_a_file_costs_no_more_than_many_words() -> None:
    def best_seconds(content: bytes) -> float:
        seconds = []
        for _ in range(2):
            began = time.process_time()
            decode_text(content)
            seconds.append(time.process_time() - began)
        return min(seconds)

    names = "Łukasz Żółć;Źrebię\n".encode("cp1250") * 70_000
    assert best_seconds("ą".encode("cp1250") * len(names)) < 2 * best_seconds(names)
