"""Composes the data-processing agreement (GDPR art. 28): a company's copy, or a sample."""

import tomllib
from datetime import UTC, date, datetime, time
from functools import cache
from importlib.resources import files
from string import Formatter

import msgspec

from prawko.accounts.legal_acceptances import CompanyAcceptance
from prawko.kit.dates import format_date, format_instant
from prawko.kit.settings import Settings
from prawko.kit.text.i18n import Language, translate
from prawko.legal.agreement import Agreement, AgreementParty, AgreementSection, Clause
from prawko.legal.operator_details import build_operator_details


class AgreementText(msgspec.Struct, frozen=True):
    """The text of one version in one language, with placeholders."""

    title: str
    annex: str
    sections: list[AgreementSection]


class CustomerDetails(msgspec.Struct, frozen=True, kw_only=True):
    """The company that concludes the agreement; empty strings until they are filled in."""

    name: str
    tax_id: str
    address: str
    account_email: str


@cache
def load_agreement(version: date, language: Language) -> AgreementText:
    """Return the text of a version."""
    name = f"data-processing-{version.isoformat()}.{language.value}.toml"
    content = files("prawko.legal").joinpath("texts", name).read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(content), AgreementText)


def build_agreement(
    settings: Settings, version: date, language: Language, *,
    customer: CustomerDetails | None, acceptance: CompanyAcceptance | None,
) -> Agreement:  # fmt: skip
    """Return a company's copy of the agreement; without a customer, a sample."""
    details = {
        name: detail.text for name, detail in build_operator_details(settings, language).items()
    }
    text = load_agreement(version, language)

    def fill(template: str) -> str:
        return Formatter().vformat(template, (), {"brand": settings.brand, "operator": details})

    def fill_clause(clause: Clause) -> Clause:
        return fill(clause) if isinstance(clause, str) else [fill(item) for item in clause]

    drawn_for = acceptance.accepted_at if acceptance else datetime.combine(version, time(), UTC)
    return Agreement(
        language=language,
        title=fill(text.title),
        annex=fill(text.annex),
        version=_label("version", language, day=format_date(version)),
        parties=[
            AgreementParty(_label("controller", language), _customer_lines(customer, language)),
            AgreementParty(_label("processor", language), _operator_lines(details, language)),
        ],
        conclusion=_describe_conclusion(customer, acceptance, language),
        sections=[
            AgreementSection(fill(section.title), [fill_clause(one) for one in section.clauses])
            for section in text.sections
        ],
        page=_label("page", language, page="{page}", pages="{pages}"),
        created_at=drawn_for,
    )


def _customer_lines(customer: CustomerDetails | None, language: Language) -> list[str]:
    if customer is None:
        return [_label("sample_customer", language)]
    if not customer.name:
        return [_label("unnamed_customer", language, email=customer.account_email)]
    return [
        customer.name,
        customer.address,
        _label("tax_id", language, tax_id=customer.tax_id),
        _label("account", language, email=customer.account_email),
    ]


def _operator_lines(details: dict[str, str], language: Language) -> list[str]:
    return [
        details["name"],
        details["address"],
        _label("tax_id", language, tax_id=details["taxId"]),
        _label("krs", language, krs=details["krs"], court=details["registerCourt"]),
        _label("capital", language, amount=details["shareCapital"]),
        details["email"],
    ]


def _describe_conclusion(
    customer: CustomerDetails | None, acceptance: CompanyAcceptance | None, language: Language
) -> str:
    if customer is None:
        return _label("sample", language)
    if acceptance is None:
        return _label("not_accepted", language)
    instant = format_instant(acceptance.accepted_at, language)
    if acceptance.email is None:
        return _label("accepted", language, instant=instant)
    return _label("accepted_by", language, instant=instant, email=acceptance.email)


def _label(key: str, language: Language, **params: object) -> str:
    return translate(f"legal.agreement.{key}", language, **params)
