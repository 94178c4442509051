"""The media type of the tables that are downloaded, and its documentation."""

from litestar.openapi.datastructures import ResponseSpec

XLSX_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
XLSX_RESPONSE = ResponseSpec(
    bytes, media_type=XLSX_MEDIA_TYPE, generate_examples=False, description="An XLSX file"
)
