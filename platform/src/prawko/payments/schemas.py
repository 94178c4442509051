"""JSON of the operators' API for bank transfers."""

from typing import Annotated

from prawko.kit.http.schemas import RequestModel, ResponseModel, openapi_constraints

MAX_TITLE_LENGTH = 500
MAX_REFERENCE_LENGTH = 100
MAX_GROSZE = 10**12

# For the client only: the decoder does not enforce these, `parse_line` returns a text per field.
Title = Annotated[str, openapi_constraints(min_length=1, max_length=MAX_TITLE_LENGTH)]
Grosze = Annotated[int | None, openapi_constraints(minimum=1, maximum=MAX_GROSZE)]
Currency = Annotated[str, openapi_constraints(pattern="^[A-Z]{3}$")]
Reference = Annotated[str, openapi_constraints(min_length=1, max_length=MAX_REFERENCE_LENGTH)]


class StatementLineIn(RequestModel):
    """One line of the bank statement. `amount` is in grosze, `reference` the bank's id of it."""

    title: Title = ""
    amount: Grosze = None
    currency: Currency = "PLN"
    reference: Reference = ""


class RecordedTransferOut(ResponseModel):
    """The line is stored; `message` says what follows."""

    ok: bool
    message: str
