"""The API of plugins: a plugin imports nothing else of the platform."""

import pluggy

PROJECT = "prawko"
"""The group of entry points that makes a plugin known."""

VERSION = "1.2"
"""The version of the hooks. A plugin states the one it was written for as `prawko_hooks`.

The second number grows with every addition, the first with a change that a plugin may notice
(docs/decisions/0032-versions-of-hooks.md).
"""

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
"""Marks a function of a plugin as one of the hooks."""
