"""Renders the HTML pages of the developer tools from the templates beside this module."""

from jinja2 import Environment, PackageLoader, StrictUndefined

_templates = Environment(
    loader=PackageLoader("prawko_demo.dev_api"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def render_template(name: str, **values: object) -> str:
    """Return the HTML of a template; raises UndefinedError for a missing value."""
    return _templates.get_template(f"{name}.html.jinja").render(values)
