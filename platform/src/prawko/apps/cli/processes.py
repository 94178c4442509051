"""The long-running processes: the panel, the console, the worker, and the demo of all."""

from collections.abc import Callable, Mapping
from importlib.metadata import entry_points

import click

from prawko.kit.observability.metrics_server import serve_childrens_metrics
from prawko.kit.providers.registry import PluginError
from prawko.kit.settings import Settings
from prawko.kit.settings_validation import load_settings, require_operator_details
from prawko.kit.startup_checks import REFUSED, check_in_child, require_free_port


@click.command()
@click.pass_obj
def serve(variables: Mapping[str, str]) -> None:
    """Serve the panel until SIGTERM."""
    from prawko.apps.web.asgi import find_frontend  # noqa: PLC0415 (the worker needs no server)
    from prawko.kit.http.server import run_server  # noqa: PLC0415

    settings = _load_checked(variables, require_operator_details, find_frontend)
    serve_childrens_metrics(settings)
    run_server(
        "prawko.apps.web.asgi:create_asgi_app",
        host=settings.host,
        port=settings.port,
        workers=settings.web_workers,
    )


@click.command()
@click.pass_obj
def console(variables: Mapping[str, str]) -> None:
    """Serve the operators' console until SIGTERM; DATABASE_URL is their login."""
    from prawko.apps.web.asgi import find_console  # noqa: PLC0415 (the worker needs no server)
    from prawko.kit.http.server import run_server  # noqa: PLC0415

    settings = _load_checked(variables, find_console)
    serve_childrens_metrics(settings)
    run_server(
        "prawko.apps.web.asgi:create_console_asgi_app", host=settings.host, port=settings.port
    )


def _load_checked(
    variables: Mapping[str, str], *requirements: Callable[[Settings], object]
) -> Settings:
    """Return the settings of a server, or end the command before child processes are started."""
    if not check_in_child(variables, [*requirements, require_free_port]):
        raise click.exceptions.Exit(REFUSED)
    return load_settings(variables)


@click.command()
@click.pass_obj
def worker(variables: Mapping[str, str]) -> None:
    """Run the daily check and all jobs, and send messages, until SIGTERM."""
    from prawko.apps.worker.main import start_worker  # noqa: PLC0415 (the panel needs no worker)

    start_worker(variables)


@click.command()
@click.pass_obj
def demo(variables: Mapping[str, str]) -> int:
    """Run the whole product with simulated providers."""
    for entry in entry_points(group="prawko-demo", name="demo"):
        code: int = entry.load()(variables)
        return code
    raise PluginError("the demo is not installed (the extra `demo` brings it)")
