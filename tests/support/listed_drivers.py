"""Drivers as lists show them, for rules that need no database."""

from collections.abc import Sequence
from typing import Any

from prawko.drivers.schemas import DriverSummaryOut, VerificationSummaryOut
from prawko_tenants.ids import DriverId, new_id


def listed_driver(
    latest: VerificationSummaryOut | None = None, *, needed: Sequence[str] = (), **values: Any
) -> DriverSummaryOut:
    """Return a driver who may not drive, with the latest verification and other values."""
    return DriverSummaryOut(**{
        "id": DriverId(new_id()), "first_name": "Jan", "last_name": "Lis",
        "license_number": "AA123456", "status": latest.status if latest else "unknown",
        "may_drive": "no", "needed_categories": [*needed], "over_limit": False, "stale_since": None,
        "episode": None, "verifications": [latest] if latest else [],
    } | values)  # fmt: skip
