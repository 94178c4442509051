"""Use of the pools of connections to PostgreSQL."""

from prawko.kit.observability.metrics import Counter, Gauge
from prawko_tenants.engine import Database

CONNECTIONS = Gauge(
    "prawko_pool_connections", "Connections to PostgreSQL by pool and state.", ("pool", "state")
)
SIZE = Gauge("prawko_pool_size", "Connections that a pool may open.", ("pool",))
WAITS = Counter("prawko_pool_waits_total", "Waits for a connection of a pool.", ("pool",))
WAIT_SECONDS = Counter(
    "prawko_pool_wait_seconds_total", "Seconds of waiting for a connection of a pool.", ("pool",)
)


def record_pool_use(database: Database) -> None:
    """Record the present use of the process's pools, and the waits so far."""
    for pool in database.list_pools():
        SIZE.set_value(pool.size, pool.name)
        CONNECTIONS.set_value(pool.in_use, pool.name, "used")
        CONNECTIONS.set_value(pool.idle, pool.name, "idle")
        WAITS.add(pool.name, number=pool.waits - WAITS.read_value(pool.name))
        WAIT_SECONDS.add(pool.name, number=pool.wait_seconds - WAIT_SECONDS.read_value(pool.name))
