import pytest

from unit.embedded.standin import copy_home, make_home, open_ground


@pytest.fixture
def ground():
    with open_ground() as folder:
        yield folder


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    return make_home(tmp_path_factory.mktemp("made") / "home")


@pytest.fixture
def home(made, tmp_path):
    return copy_home(made, tmp_path / "home")
