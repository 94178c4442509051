"""Invoice numbers and file names."""

from datetime import UTC, datetime

import pytest

from prawko.invoices.rules import file_name, format_number, invoice_year


@pytest.mark.parametrize(
    ("serial", "written"),
    [(1, "FV/2026/000001"), (999_999, "FV/2026/999999"), (1_000_000, "FV/2026/1000000")],
)
def test_a_number_has_series_year_and_serial(serial, written) -> None:
    assert format_number("FV", 2026, serial) == written


def test_serials_start_at_one() -> None:
    with pytest.raises(ValueError, match="no serial of an invoice"):
        format_number("FV", 2026, 0)


@pytest.mark.parametrize(
    ("issued_at", "year"),
    [
        (datetime(2026, 12, 31, 22, 59, 59, tzinfo=UTC), 2026),
        (datetime(2026, 12, 31, 23, 0, tzinfo=UTC), 2027),  # midnight in Warsaw
        (datetime(2027, 1, 1, 0, 0, tzinfo=UTC), 2027),
    ],
)
def test_the_year_is_that_of_warsaw(issued_at, year) -> None:
    assert invoice_year(issued_at) == year


def test_a_file_is_named_by_the_invoice_number() -> None:
    assert file_name("FV/2026/000001", "pdf") == "FV-2026-000001.pdf"
