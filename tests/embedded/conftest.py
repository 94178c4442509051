import pytest

from support.embedded import copy_home, make_home, shared_folder


@pytest.fixture
def open_folder():
    with shared_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def template_home(tmp_path_factory):
    """A home with an empty database, which each test copies."""
    return make_home(tmp_path_factory.mktemp("made") / "home")


@pytest.fixture
def home(template_home, tmp_path):
    return copy_home(template_home, tmp_path / "home")
