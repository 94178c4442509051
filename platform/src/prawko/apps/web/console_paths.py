"""The paths of the console on the site (docs/rules.md R20)."""

CONSOLE_PATH = "/admin"
CONSOLE_API_PATH = "/api/admin"


def is_console_path(path: str) -> bool:
    """Whether the console answers a path, and not the panel."""
    return is_console_page(path) or f"{path}/".startswith(f"{CONSOLE_API_PATH}/")


def is_console_page(path: str) -> bool:
    """Whether a path is one of the console's application, not of its calls."""
    return f"{path}/".startswith(f"{CONSOLE_PATH}/")
