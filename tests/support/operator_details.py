"""The operator of an installation, as production needs it."""

OPERATOR = {
    "SELLER_NAME": "Prawko Sp. z o.o.",
    "SELLER_TAX_ID": "5260250274",
    "SELLER_STREET": "Prosta 1",
    "SELLER_POSTAL_CODE": "00-950",
    "SELLER_CITY": "Warszawa",
    "OPERATOR_KRS": "0000123456",
    "OPERATOR_REGISTER_COURT": "Sąd Rejonowy w Warszawie",
    "OPERATOR_SHARE_CAPITAL": "5000",
    "OPERATOR_CONTACT_EMAIL": "kontakt@prawko.test",
}
