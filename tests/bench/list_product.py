"""The product's panel with fake providers."""

import os

from litestar import Litestar

from prawko.apps.composition_root import create_context
from prawko.apps.web.app import create_app
from prawko_testing.fakes import FakeRegister, RecordingChannel, fake_plugin


def panel() -> Litestar:
    fakes = fake_plugin(FakeRegister(), RecordingChannel())
    return create_app(create_context(os.environ, extra_plugins={"fakes": fakes}))
