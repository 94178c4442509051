"""Request models of personal data."""

from prawko.accounts.schemas import Text
from prawko.kit.http.schemas import RequestModel


class CompanyErasureIn(RequestModel):
    """The owner's current password and, where the second factor is on, a code of it."""

    password: Text
    code: Text = ""
