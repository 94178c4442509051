"""Which notices share one message for each reader and medium, and when it leaves. Pure.

The check of many drivers takes minutes. The notices of an import's first check are bundled by
stretches of time, so that a reader gets one message for many drivers, and the first results do not
wait for the last.
"""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from prawko.notifications.catalogue import CATALOGUE, Bundling, NoticeKind
from prawko_tenants.ids import BundleId

DIGEST_WINDOW = timedelta(minutes=5)
DIGEST_SPAN = timedelta(days=1)  # later results are not what the import has brought
# A result of the end of a window may be written a little later.
DIGEST_DELAY = timedelta(seconds=30)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def digest_time(imported_at: datetime, now: datetime) -> datetime | None:
    """Return the end of the window that `now` is in; None long after the import."""
    elapsed = max(now - imported_at, timedelta())
    if elapsed >= DIGEST_SPAN:
        return None
    return imported_at + DIGEST_WINDOW * (elapsed // DIGEST_WINDOW + 1)


def find_bundle(kind: NoticeKind, digest_at: datetime | None, now: datetime) -> BundleId | None:
    """Return the bundle of a notice that is published at `now`; None for one of its own message.

    A first check's bundle is that of `digest_at`, the end of its window, whatever the kind and the
    call. Any other is that of the kind and the call. Bundles of two companies may have one id.
    """
    if digest_at is not None:
        return _bundle_id(digest_at, 0)
    if CATALOGUE[kind].bundling is not Bundling.KIND:
        return None
    return _bundle_id(now, 1 + [*CATALOGUE].index(kind))


def bundle_timestamp(bundle: BundleId) -> float:
    """Return the instant of a bundle, in seconds since 1970."""
    return (bundle.int >> 64) / 10**6


def _bundle_id(instant: datetime, number: int) -> BundleId:
    """The microseconds since 1970 and a number below 1000, 64 bits each (read by revision 0040)."""
    return BundleId(UUID(int=((instant - _EPOCH) // timedelta(microseconds=1) << 64) + number))
