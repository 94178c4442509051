"""Forms whose names have brackets, as Stripe's do."""

from urllib.parse import parse_qsl


def nested(text: str) -> dict:
    """Brackets in names of a form, as the tree they stand for."""
    tree: dict = {}
    for name, value in parse_qsl(text, keep_blank_values=True):
        *way, last = [part.rstrip("]") for part in name.split("[")]
        here = tree
        for part in way:
            here = here.setdefault(part, {})
        here[last] = value
    return tree


def names_of(tree: dict, prefix: str = "") -> list[str]:
    return [
        name
        for part, value in tree.items()
        for name in (
            names_of(value, f"{prefix}{part}.") if isinstance(value, dict) else [f"{prefix}{part}"]
        )
    ]
