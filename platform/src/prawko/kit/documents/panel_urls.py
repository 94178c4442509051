"""URLs in mails that open the panel."""

from urllib.parse import quote

LOGIN_PAGE = "/auth/login"


def panel_url(base_url: str, path: str) -> str:
    """Return the URL of a path of the panel, query included.

    It leads through the sign-in, which names the target to a visitor and passes who is signed in
    on: at a path of the panel itself a visitor would see the landing page.
    """
    return f"{base_url}{LOGIN_PAGE}?next={quote(path, safe='/')}"
