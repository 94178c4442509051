"""The API of plugins: a plugin imports nothing else of the platform."""

import pluggy

PROJECT = "prawko"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
