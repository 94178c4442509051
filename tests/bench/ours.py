"""The panel as it is served, with providers that are never asked."""

import os

from litestar import Litestar

from prawko.base.start import open_tools
from prawko.testing.fakes import FakeRegister, RecordingChannel, fake_plugin
from prawko.web.app import create_app


def panel() -> Litestar:
    fakes = fake_plugin(FakeRegister(), RecordingChannel())
    return create_app(open_tools(os.environ, extra_plugins={"fakes": fakes}))
