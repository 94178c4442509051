"""The product's environment variables in a demo: simulated providers, and what a demo waives."""

import hashlib
from pathlib import Path

from prawko_demo.config import MAILBOX_FILE, SANDBOX_FILE, WIDE_LIMIT, DemoConfig
from prawko_demo.credentials import OPERATOR_EMAIL
from prawko_demo.databases import DemoDatabases
from prawko_demo.options import HOST, DemoOptions
from prawko_demo.register.server import SimulatorAddress
from prawko_demo.secret_store import DemoSecrets

# So that the daily check of the developer tools ends at once; production uses the ministry's limit.
REGISTER_RATE = 200
REGISTER_DEADLINE_SECONDS = 5  # half of production's: people wait for a silent register
# Invented: the check digits are right, but there is no such bank and no such tax office.
SELLER_IBAN, SELLER_NIP = "PL91999900000000202611210001", "9999999999"
SELLER_NAME = "Prawko Demo sp. z o.o."
SELLER_STREET, SELLER_POSTAL_CODE, SELLER_CITY = "ul. Przykładowa 1", "00-001", "Warszawa"
CONTACT_EMAIL = "kontakt@prawko.test"


def build_config(
    options: DemoOptions,
    folder: Path,
    secrets: DemoSecrets,
    databases: DemoDatabases,
    register: SimulatorAddress,
) -> DemoConfig:
    """Return the configuration of the demo's processes."""
    common = {
        **options.plugin_variables,
        **options.choices,
        "REDIS_URL": databases.redis_url,
        "SECRET_KEY": secrets.secret_key,
        "BASE_URL": options.base_url,
        "HOST": HOST,
        "PORT": str(options.port),
        "FRONTEND_DIR": str(options.frontend_dir),
        "CONSOLE_DIR": options.console_dir,
        "REQUIRE_REASONS": "false",  # the product's own payloads
        "TIMETABLE": "true" if options.scheduler_enabled else "false",
        "STRICT_TAX_ID": "false",
        "CHANNEL_MAILBOX_FILE": str(folder / MAILBOX_FILE),
        "OPERATOR_EMAIL": OPERATOR_EMAIL,
        "REFUSE_COMMON_PASSWORDS": "false",
        "SMS_CODES_PER_DAY": str(WIDE_LIMIT),
        "REQUIRE_OPERATOR_SECOND_FACTOR": "false",
        "REGISTER_RATE": str(REGISTER_RATE),
        "REGISTER_DEADLINE": str(REGISTER_DEADLINE_SECONDS),
        **_register_variables(register),
        **_seller_variables(),
        **_payment_variables(options, folder, secrets),
    }
    return DemoConfig(
        folder=str(folder),
        control_url=register.control_url,
        panel_variables={**common, "DATABASE_URL": databases.logins.app},
        console_variables={**common, "DATABASE_URL": databases.logins.operator},
        worker_variables={
            **common,
            "DATABASE_URL": databases.logins.worker,
            "PLANNER_DATABASE_URL": databases.logins.planner,
        },
    )


def _register_variables(register: SimulatorAddress) -> dict[str, str]:
    """Return the variables of both register adapters."""
    return {
        "REGISTER_UPKI_URL": register.soap_url,
        "REGISTER_UPKI_DEADLINE": str(REGISTER_DEADLINE_SECONDS),
        "REGISTER_UPKI_P12": register.p12,
        "REGISTER_UPKI_P12_PASSWORD": register.p12_password,
        "REGISTER_UPKI_CA": register.ca,
        "REGISTER_UPKI_SERVER_NAME": register.server_name,
        "REGISTER_PUBLIC_URL": register.json_url,
        "REGISTER_PUBLIC_DEADLINE": str(REGISTER_DEADLINE_SECONDS),
    }


def _seller_variables() -> dict[str, str]:
    return {
        "SELLER_NAME": SELLER_NAME,
        "SELLER_TAX_ID": SELLER_NIP,
        "SELLER_STREET": SELLER_STREET,
        "SELLER_POSTAL_CODE": SELLER_POSTAL_CODE,
        "SELLER_CITY": SELLER_CITY,
        "SELLER_IBAN": SELLER_IBAN,
        # The court, the KRS number and the capital are not set: the legal pages mark them.
        "OPERATOR_CONTACT_EMAIL": CONTACT_EMAIL,
    }


def _payment_variables(options: DemoOptions, folder: Path, secrets: DemoSecrets) -> dict[str, str]:
    """Return the variables of the sandbox and of bank transfers."""
    return {
        "PAYMENTS_SANDBOX_FILE": str(folder / SANDBOX_FILE),
        "PAYMENTS_SANDBOX_URL": options.base_url,
        "PAYMENTS_SANDBOX_KEY": hashlib.sha256(secrets.secret_key.encode()).hexdigest(),
        "TRANSFER_IBAN": SELLER_IBAN,
        "TRANSFER_OWNER": SELLER_NAME,
        "TRANSFER_ADDRESS": f"{SELLER_STREET}, {SELLER_POSTAL_CODE} {SELLER_CITY}",
    }
