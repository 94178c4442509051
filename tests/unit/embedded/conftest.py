import pytest

from unit.embedded.standin import open_ground


@pytest.fixture
def ground():
    with open_ground() as folder:
        yield folder
