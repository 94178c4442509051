"""Bodies are taken as they are: no text counts as a number, no number as yes or no.

Left alone, the framework reads the JSON first and then converts it with goodwill, as it must
for a query: `"1"`, `1` and `"true"` would all be a yes.
"""

import re
from typing import Any

import msgspec
from litestar import Request
from litestar.exceptions import ClientException, ValidationException

# Which field of a body msgspec complains of.
_FIELD = re.compile(r"`\$\.(\w+)|required field `(\w+)`$")


class StrictRequest(Request[Any, Any, Any]):
    """Decodes a body straight into what its route asks for."""

    async def json(self) -> Any:
        field = self.route_handler.parsed_data_field
        wanted = field.annotation if field is not None else Any
        try:
            return msgspec.json.decode(await self.body(), type=wanted)
        except msgspec.ValidationError as error:
            named = _FIELD.search(str(error))
            key = (named[1] or named[2]) if named else ""
            raise ValidationException(
                detail=str(error), extra=[{"message": str(error), "source": "body", "key": key}]
            ) from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ClientException(detail=type(error).__name__) from None
