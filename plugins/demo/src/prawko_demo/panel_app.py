"""The product's panel with the demo's doors in it."""

from pathlib import Path

from litestar import Litestar

from prawko.base.start import close_tools, open_tools
from prawko.web.app import create_app
from prawko_demo import payments
from prawko_demo.doors import doors
from prawko_demo.doors.errands import Errands
from prawko_demo.doors.work import Work
from prawko_demo.stage import PLUGINS, Stage


def panel() -> Litestar:
    """The panel of the demo that this process belongs to.

    It holds the worker's logins beside its own, for the doors that do a worker's work; the
    product's panel never does.
    """
    stage = Stage.here()
    clock = stage.clock()
    tools = open_tools(stage.panel, extra_plugins=PLUGINS, clock=clock)
    errands = Errands()
    variables = {**stage.worker, "TIMETABLE": "false"}  # what waits for its hour, this does not
    worker = open_tools(variables, extra_plugins=PLUGINS, clock=clock, queue=errands)
    extra = doors(stage, clock, Work(worker, errands), payments.of(tools))
    app = create_app(tools, site=Path(tools.settings.site), extra=[extra])

    async def close() -> None:
        worker.stopping.say()
        await close_tools(worker)
        await close_tools(tools)

    app.on_shutdown.append(close)
    return app
