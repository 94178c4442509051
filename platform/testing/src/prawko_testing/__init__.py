"""Contract tests for authors of plugins, to be inherited.

A failed assertion shows its values: what was wanted, and what came.
"""

from pkgutil import iter_modules

import pytest

pytest.register_assert_rewrite(*(f"{__name__}.{one.name}" for one in iter_modules(__path__)))
