"""Every variable is in the table of docs/operations.md, and an unknown one is noticed."""

from pathlib import Path

import pytest

from prawko.apps.cli.reference import TABLES
from prawko.kit.variables import HEADINGS, REMOVED, find_unknown_variables, list_variables
from prawko_tenants.roles import ROLE_NAMES

PAGE = Path(__file__).parents[2] / "docs" / "operations.md"


@pytest.fixture(scope="module")
def known():
    return list_variables()


@pytest.mark.parametrize("name", TABLES)
def test_the_tables_are_current(name) -> None:
    _, _, rest = PAGE.read_text(encoding="utf-8").partition(f"<!-- {name} -->\n")
    table = rest.partition(f"<!-- /{name} -->\n")[0].strip()

    assert table == TABLES[name](), "run `make variables`"


def test_a_removed_variable_is_no_variable(known) -> None:
    assert {one.name for one in known} & REMOVED == set()


def test_every_variable_says_what_it_means(known) -> None:
    assert [one.name for one in known if not one.meaning] == []
    assert {one.name for one in known} > HEADINGS.keys()
    assert len({one.name for one in known}) == len(known)


def test_no_secret_has_a_default(known) -> None:
    secrets = [one for one in known if one.is_secret]

    assert {one.name: one.default for one in secrets if one.default} == {}
    # A new variable with such a name is a secret, or is not what its name says.
    suspicious = {
        one.name
        for one in known
        if any(word in one.name for word in ("SECRET", "PASSWORD", "TOKEN", "_KEY", "CRC"))
    }
    assert suspicious - {one.name for one in secrets} == {
        "REFUSE_COMMON_PASSWORDS",
        "CHANNEL_SENDGRID_REPORT_KEY",  # a public key
    }


@pytest.mark.parametrize(
    ("name", "similar"),
    [
        ("REGISTER_UPKI_URI", "REGISTER_UPKI_URL"),
        ("DATABSE_URL", "DATABASE_URL"),
        ("CHANNEL_SMTP_COLOUR", None),
        ("SELLER_COUNTRY", None),
        ("LOGIN_TRIES_PER_ACCOUNT", None),  # removed
    ],
)
def test_an_unread_variable_is_reported(known, name, similar) -> None:
    assert list(find_unknown_variables([name, "DATABASE_URL"], known)) == [(name, similar)]


@pytest.mark.parametrize("login", ROLE_NAMES)
def test_what_the_commands_of_a_server_get_is_known(known, login) -> None:
    assert list(find_unknown_variables([f"{login.upper()}_DATABASE_URL"], known)) == []


@pytest.mark.parametrize(
    "name", ["PATH", "HOME", "HOSTNAME", "LOG_FILE", "REDIS_PASSWORD", "DATABASE_HOST", "LANG"]
)
def test_other_programs_variables_are_left_alone(known, name) -> None:
    assert list(find_unknown_variables([name], known)) == []
