"""A missing or malformed variable stops the start with its name."""

import base64

import pytest

from prawko.base.settings import load
from prawko.hooks.environment import SettingError

GOOD = {
    "DATABASE_URL": "postgresql://somebody@localhost/prawko",
    "REDIS_URL": "redis://localhost",
    "SECRET_KEY": base64.urlsafe_b64encode(bytes(range(32))).decode(),
}


def test_three_variables_are_enough() -> None:
    settings = load(GOOD)

    assert settings.daily_check_at == "06:00"
    assert settings.register_rate == 10.0
    assert settings.strict_tax_id is True


@pytest.mark.parametrize("name", list(GOOD))
def test_a_missing_variable_is_named(name) -> None:
    with pytest.raises(SettingError, match=name):
        load({key: value for key, value in GOOD.items() if key != name})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "mysql://x"),
        ("REDIS_URL", "http://x"),
        ("SECRET_KEY", "short"),
        ("SECRET_KEY", "!" * 44),
        ("PORT", "eighty"),
        ("PORT", "70000"),
        ("BASE_URL", "prawko.test"),
        ("BASE_URL", "https://prawko.test/path"),
        ("DAILY_CHECK_AT", "6 o'clock"),
        ("DAILY_CHECK_AT", "24:00"),
        ("TRUSTED_PROXIES", "proxy"),
        ("TRUSTED_PROXIES", "10.0.0.1, 10.0.0.0/40"),
        ("REGISTER_RATE", "0"),
        ("REGISTER_RATE", "-1"),
        ("STRICT_TAX_ID", "perhaps"),
        ("ANSWER_KEYS", "one:tooshort"),
        ("ANSWER_KEYS", "no-key-at-all"),
    ],
)
def test_a_malformed_variable_is_named(name, value) -> None:
    with pytest.raises(SettingError, match=name):
        load({**GOOD, name: value})


def test_the_first_answer_key_seals_and_all_of_them_open() -> None:
    keys = ",".join(f"{name}:{base64.b64encode(bytes([n]) * 32).decode()}" for n, name in
                    enumerate(("new", "old")))  # fmt: skip
    assert list(load({**GOOD, "ANSWER_KEYS": keys}).answer_key_bytes()) == ["new", "old"]
