"""A missing or malformed variable raises an error with its name."""

import base64

import pytest

from prawko.hooks.environment import InvalidSettingsError, SettingsError
from prawko.kit.settings_validation import load_settings, require_operator_details

GOOD = {
    "DATABASE_URL": "postgresql://somebody@localhost/prawko",
    "REDIS_URL": "redis://localhost",
    "SECRET_KEY": base64.urlsafe_b64encode(bytes(range(32))).decode(),
}


def encode(key: bytes) -> str:
    return base64.urlsafe_b64encode(key).decode()


def test_three_variables_are_enough() -> None:
    settings = load_settings(GOOD)

    assert settings.daily_check_at == "06:00"
    assert settings.register_rate == 10.0
    assert settings.strict_tax_id is True


@pytest.mark.parametrize("name", list(GOOD))
def test_a_missing_variable_is_named(name) -> None:
    with pytest.raises(SettingsError, match=name):
        load_settings({key: value for key, value in GOOD.items() if key != name})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "mysql://x"),
        ("DATABASE_URL", "mysql://x\npostgresql://x"),
        ("REDIS_URL", "http://x"),
        ("SECRET_KEY", "short"),
        ("SECRET_KEY", "!" * 44),
        ("SECRET_KEY", encode(bytes(32))),
        ("SECRET_KEY", encode(b"\x5a\xa5" * 16)),
        ("SECRET_KEY", encode(b"please change this key, will you")),
        ("SECRET_KEY", "changeme-" * 5 + "AbcdeZ7q0Kt3"),
        ("LOG_LEVEL", "verbose"),
        ("HEARTBEAT_URL", "http://watch.example.com/ping"),
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
        ("INVOICE_SERIES", "FV/"),
        ("INVOICE_SERIES", "faktury"),
    ],
)
def test_a_malformed_variable_is_named(name, value) -> None:
    with pytest.raises(SettingsError, match=name):
        load_settings({**GOOD, name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "POSTGRESQL://somebody@localhost/prawko"),
        ("PLANNER_DATABASE_URL", "postgresql://planner@localhost/prawko\n"),
        ("OWNER_DATABASE_URL", " postgresql://owner@localhost/prawko"),
        ("REDIS_URL", "Redis://localhost"),
        ("REDIS_URL", "rediss://localhost/1\r\n"),
        ("REDIS_URL", "unix:///run/redis.sock\n"),
    ],
)
def test_a_url_may_be_in_capitals_or_come_from_a_file_with_a_line_end(name, value) -> None:
    assert getattr(load_settings({**GOOD, name: value}), name.lower()) == value


def test_everything_that_is_wrong_is_named_at_once_and_no_secret_is_printed() -> None:
    wrong = {
        "DATABASE_URL": "mysql://prawko:hunter2@localhost/prawko",
        "SECRET_KEY": "changeme" * 8,
        "PORT": "eighty",
        "REGISTER_RATE": "-1",
        "TRUSTED_PROXIES": "proxy",
        "ANSWER_KEYS": "one:hunter2",
        "PAYMENT_PROVIDERS": "stripe",
        "SELLER_TAX_ID": "123",
    }
    with pytest.raises(InvalidSettingsError) as error:
        load_settings(wrong)

    lines = str(error.value).splitlines()
    named = [line.partition(" ")[0] for line in lines]
    seller = ["SELLER_NAME", "SELLER_STREET", "SELLER_POSTAL_CODE", "SELLER_CITY"]
    assert sorted(named) == sorted([*wrong.keys() - {"PAYMENT_PROVIDERS"}, "REDIS_URL", *seller])
    assert "hunter2" not in str(error.value)
    assert "changemechangeme" not in str(error.value)


@pytest.mark.parametrize(
    ("address", "accepted"),
    [
        ("http://127.0.0.1:8000", True),
        ("http://localhost", True),
        ("http://[::1]:8000", True),
        ("http://panel:8000", True),
        ("http://10.1.2.3", True),
        ("http://prawko.test", True),
        ("https://prawko.pl", True),
        ("http://prawko.pl", False),
        ("http://PRAWKO.PL:8000", False),
        ("http://93.184.216.34", False),
        ("http://[2606:4700::1111]", False),
    ],
)
def test_plain_http_is_for_private_hosts(address, accepted) -> None:
    if accepted:
        assert load_settings({**GOOD, "BASE_URL": address}).base_url == address
        return
    with pytest.raises(SettingsError, match=r"^BASE_URL is plain http for a public host"):
        load_settings({**GOOD, "BASE_URL": address})


SELLER = {
    "SELLER_NAME": "Prawko Spółka z o.o.",
    "SELLER_TAX_ID": "5260250274",
    "SELLER_STREET": "Prosta 1",
    "SELLER_POSTAL_CODE": "00-950",
    "SELLER_CITY": "Warszawa",
}


@pytest.mark.parametrize("name", list(SELLER))
@pytest.mark.parametrize("reason", ["PAYMENT_PROVIDERS", "SELLER_IBAN", "the others"])
def test_payments_or_any_seller_variable_require_all_of_the_seller(reason, name) -> None:
    variables = {**GOOD} if reason == "PAYMENT_PROVIDERS" else {**GOOD, **SELLER}
    variables |= {
        "PAYMENT_PROVIDERS": {**SELLER, reason: "fake"},
        "SELLER_IBAN": {reason: "61109010140000071219812874"},
    }.get(reason, {})
    variables.pop(name)

    with pytest.raises(SettingsError, match=f"^{name} is missing"):
        load_settings(variables)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SELLER_TAX_ID", "5260250275"),  # its check digit is 4
        ("SELLER_TAX_ID", "526-025-02-74"),
        ("SELLER_TAX_ID", "0000000000"),
        ("SELLER_POSTAL_CODE", "00950"),
        ("SELLER_IBAN", "61109010140000071219812875"),
        ("SELLER_IBAN", "GB82WEST12345698765432"),
    ],
)
def test_an_invalid_seller_is_rejected(name, value) -> None:
    with pytest.raises(SettingsError, match=f"^{name} is malformed"):
        load_settings({**GOOD, **SELLER, name: value})


def test_the_seller_is_complete_or_none() -> None:
    assert load_settings(GOOD).seller is None
    seller = load_settings(
        {**GOOD, **SELLER, "SELLER_IBAN": "PL 61 1090 1014 0000 0712 1981 2874"}
    ).seller

    assert seller is not None
    assert (seller.name, seller.tax_id) == (SELLER["SELLER_NAME"], "5260250274")
    assert seller.iban == "61109010140000071219812874"


OPERATOR = {
    **SELLER,
    "OPERATOR_KRS": "0000123456",
    "OPERATOR_REGISTER_COURT": "Sąd Rejonowy w Warszawie",
    "OPERATOR_SHARE_CAPITAL": "5000",
    "OPERATOR_CONTACT_EMAIL": "kontakt@prawko.test",
}


def test_complete_operator_details_are_accepted_without_an_officer() -> None:
    settings = load_settings({**GOOD, **OPERATOR})

    require_operator_details(settings)
    assert settings.missing_operator_variables == ()


@pytest.mark.parametrize("name", [one for one in OPERATOR if not one.startswith("SELLER")])
def test_a_missing_operator_detail_is_named(name) -> None:
    variables = {key: value for key, value in OPERATOR.items() if key != name}

    with pytest.raises(SettingsError, match=rf"^{name} is missing \(the terms name") as error:
        require_operator_details(load_settings({**GOOD, **variables}))
    assert error.value.variable == name


def test_all_missing_operator_details_are_named_at_once() -> None:
    with pytest.raises(SettingsError) as error:
        require_operator_details(load_settings(GOOD))

    assert str(error.value).splitlines() == [
        f"{name} is missing (the terms name the operator's details)" for name in OPERATOR
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OPERATOR_KRS", "123456"),
        ("OPERATOR_KRS", "000012345X"),
        ("OPERATOR_SHARE_CAPITAL", "5000 zł"),
        ("OPERATOR_SHARE_CAPITAL", "-1"),
        ("OPERATOR_CONTACT_EMAIL", "kontakt"),
        ("OPERATOR_CONTACT_EMAIL", "<a@b.pl>"),
        ("OPERATOR_DPO_EMAIL", "iod @prawko.test"),
    ],
)
def test_a_malformed_operator_detail_is_named(name, value) -> None:
    with pytest.raises(SettingsError, match=f"^{name} is malformed"):
        load_settings({**GOOD, **OPERATOR, name: value})


def test_the_first_answer_key_encrypts_and_all_of_them_decrypt() -> None:
    keys = ",".join(f"{name}:{base64.b64encode(bytes([n]) * 32).decode()}" for n, name in
                    enumerate(("new", "old")))  # fmt: skip
    assert list(load_settings({**GOOD, "ANSWER_KEYS": keys}).answer_key_bytes()) == ["new", "old"]
