"""Strict decoding of request bodies: no conversion between JSON types.

By default Litestar parses the JSON first and converts it leniently, as it must for a query:
`"1"`, `1` and `"true"` would all be true.
"""

import re
from typing import Any

import msgspec
from litestar import Request
from litestar.exceptions import ClientException, ValidationException

# The field of the body in a message of msgspec.
_FIELD_IN_ERROR = re.compile(r"`\$\.(\w+)|required field `(\w+)`$")


class StrictRequest(Request[Any, Any, Any]):
    """Decodes the body directly into the type that the route declares."""

    async def json(self) -> Any:
        field = self.route_handler.parsed_data_field
        body_type = field.annotation if field is not None else Any
        try:
            return msgspec.json.decode(await self.body(), type=body_type)
        except msgspec.ValidationError as error:
            match = _FIELD_IN_ERROR.search(str(error))
            key = (match[1] or match[2]) if match else ""
            raise ValidationException(
                detail=str(error), extra=[{"message": str(error), "source": "body", "key": key}]
            ) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise ClientException(detail=type(error).__name__) from None
