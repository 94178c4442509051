"""The price table of the frontend's tests."""

import json
from pathlib import Path

from prawko.billing.price import period_price

TABLE = Path(__file__).parents[3] / "frontend/src/lib/price-table.json"


def test_the_price_table_of_the_frontend_has_the_servers_prices() -> None:
    table = json.loads(TABLE.read_text(encoding="utf-8"))

    assert {5, 10, 15, 50, 100, 500} <= {row["driverLimit"] for row in table}
    for row in table:
        price = period_price(row["driverLimit"])
        assert (row["net"], row["vat"], row["gross"]) == (price.net, price.vat, price.gross)
