"""The HTTP response that an archive is downloaded with."""

from litestar.background_tasks import BackgroundTask
from litestar.openapi.datastructures import ResponseSpec
from litestar.response import Stream

from prawko.kit.clock import Clock, warsaw_date
from prawko.personal_data.archive import Archive

ZIP_MEDIA_TYPE = "application/zip"
ZIP_RESPONSE = ResponseSpec(
    bytes,
    media_type=ZIP_MEDIA_TYPE,
    generate_examples=False,
    description="JSON and CSV of each table",
)


def stream_archive(archive: Archive, scope: str, clock: Clock) -> Stream:
    """Return the archive as an attachment named after scope and day; the response closes it."""
    name = f"prawko-{scope}-{warsaw_date(clock.now()).isoformat()}.zip"
    return Stream(
        archive.chunks(),
        media_type=ZIP_MEDIA_TYPE,
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Content-Length": str(archive.size),
        },
        background=BackgroundTask(archive.close),
    )
