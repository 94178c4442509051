"""The product's variables in a demo: production code, made-up providers, wide limits."""

import hashlib
from pathlib import Path

from prawko_demo.databases import Databases
from prawko_demo.keys import Keys
from prawko_demo.options import HOST, Options
from prawko_demo.register.server import Address
from prawko_demo.stage import MAILBOX_FILE, SANDBOX_FILE, Stage

# The doors' daily check answers at once; production asks at the pace the ministry announced.
REGISTER_RATE = 200
# Nobody likes to watch a silent register for the ten seconds of production.
REGISTER_DEADLINE = 5
AGAIN = 20  # who tries a demo asks more often than somebody who has forgotten a password
# Their check digits are right, and nobody has them: no such bank, no such tax office.
IBAN, TAX_ID = "PL91999900000000202611210001", "9999999999"
WIDE = 100_000  # every person and test of a demo comes from one address
# Nobody's: the check digit is right, as real settings are asked for.
SELLER = {
    "SELLER_NAME": "Prawko Demo Sp. z o.o.",
    "SELLER_TAX_ID": "1111111111",
    "SELLER_STREET": "ul. Przykładowa 1",
    "SELLER_POSTAL_CODE": "00-001",
    "SELLER_CITY": "Warszawa",
}


def stage(
    options: Options, folder: Path, keys: Keys, databases: Databases, register: Address
) -> Stage:
    """Everything that the processes of this demo are told."""
    common = {
        "REDIS_URL": databases.redis_url,
        "SECRET_KEY": keys.secret_key,
        "BASE_URL": options.base_url,
        "HOST": HOST,
        "PORT": str(options.port),
        "SITE": str(options.site),
        "TIMETABLE": "true" if options.timetable else "false",
        "STRICT_TAX_ID": "false",
        **SELLER,
        "INVOICE_ISSUER": "ksef",
        "MAIL_CHANNEL": "mailbox-email",
        "SMS_CHANNEL": "mailbox-sms",
        "CHANNEL_MAILBOX_FILE": str(folder / MAILBOX_FILE),
        "OPERATOR_EMAIL": "operator@prawko.test",
        "LOGIN_TRIES_PER_ADDRESS": str(WIDE),
        "REGISTRATIONS_PER_ADDRESS": str(WIDE),
        "RESETS_PER_ADDRESS": str(WIDE),
        "REGISTRATIONS_PER_EMAIL": str(AGAIN),
        "RESETS_PER_EMAIL": str(AGAIN),
        "REFUSE_COMMON_PASSWORDS": "false",
        "SMS_CODES_PER_NUMBER": str(WIDE),
        "SMS_CODES_PER_ADDRESS": str(WIDE),
        "SMS_CODES_PER_DAY": str(WIDE),
        "MANUAL_CHECKS_PER_DRIVER": str(WIDE),
        "MANUAL_CHECKS_PER_COMPANY": str(WIDE),
        "ORDERS_PER_COMPANY": str(WIDE),
        "REGISTER": options.register,
        "REGISTER_RATE": str(REGISTER_RATE),
        "REGISTER_DEADLINE": str(REGISTER_DEADLINE),
        **_registers(register),
        **_payments(options, folder, keys),
    }
    return Stage(
        folder=str(folder),
        control_url=register.control_url,
        panel={**common, "DATABASE_URL": databases.logins.app},
        worker={
            **common,
            "DATABASE_URL": databases.logins.worker,
            "PLANNER_DATABASE_URL": databases.logins.planner,
        },
    )


def _registers(register: Address) -> dict[str, str]:
    """Both sides of the simulator; the official one over TLS, with its name and authority."""
    return {
        "REGISTER_UPKI_URL": register.soap_url,
        "REGISTER_UPKI_DEADLINE": str(REGISTER_DEADLINE),
        "REGISTER_UPKI_P12": register.p12,
        "REGISTER_UPKI_P12_PASSWORD": register.p12_password,
        "REGISTER_UPKI_CA": register.ca,
        "REGISTER_UPKI_SERVER_NAME": register.server_name,
        "REGISTER_PUBLIC_URL": register.json_url,
        "REGISTER_PUBLIC_DEADLINE": str(REGISTER_DEADLINE),
    }


def _payments(options: Options, folder: Path, keys: Keys) -> dict[str, str]:
    """Who sells, and how money comes: an invented firm at a bank that there is not."""
    owner, street, code, city = "Prawko Demo sp. z o.o.", "ul. Przykładowa 1", "00-001", "Warszawa"
    return {
        "PAYMENT_PROVIDERS": "sandbox,transfer",
        "PAYMENTS_SANDBOX_FILE": str(folder / SANDBOX_FILE),
        "PAYMENTS_SANDBOX_URL": options.base_url,
        "PAYMENTS_SANDBOX_KEY": hashlib.sha256(keys.secret_key.encode()).hexdigest(),
        "TRANSFER_IBAN": IBAN,
        "TRANSFER_OWNER": owner,
        "TRANSFER_ADDRESS": f"{street}, {code} {city}",
        "SELLER_NAME": owner,
        "SELLER_TAX_ID": TAX_ID,
        "SELLER_STREET": street,
        "SELLER_POSTAL_CODE": code,
        "SELLER_CITY": city,
        "SELLER_IBAN": IBAN,
    }
