"""All that a plugin may import of the platform."""

import pluggy

PROJECT = "prawko"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
