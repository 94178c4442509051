"""The catalogue of notices: one record for each kind, and its texts in both languages."""

import re
from pathlib import Path
from typing import Any

import pytest

from prawko.hooks.channels import Medium
from prawko.kit.text.i18n import Language, load_catalog
from prawko.notifications.catalogue import (
    ALL_GROUPS,
    ALL_MEDIA,
    CATALOGUE,
    Bundling,
    NoticeGroup,
    NoticeKind,
    NoticeSpec,
    Page,
)
from prawko.notifications.payloads import DocumentPayload, ExpiryPayload

WORKER = Path(__file__).parents[2] / "frontend/public/service-worker.js"
MESSAGE_TEXTS = ("what", "mail", "line")


def required_texts(spec: NoticeSpec) -> list[str]:
    """Keys in `notices.toml` that a kind is rendered with."""
    keys = [f"{spec.kind}.title", f"{spec.kind}.content"]
    if spec.media:
        keys += [f"{spec.kind}.{name}" for name in MESSAGE_TEXTS]
    if spec.bundling is Bundling.KIND:
        keys += [f"{spec.kind}_many.{name}" for name in ("title", *MESSAGE_TEXTS)]
    if spec.bundling is Bundling.FIRST_CHECK:
        keys.append(f"digest.kinds.{spec.kind}")
    return keys


def has_text(texts: dict[str, Any], key: str) -> bool:
    found: Any = texts
    for part in key.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return bool(found)


def test_every_kind_has_one_record() -> None:
    assert set(NoticeKind) - CATALOGUE.keys() == set(), "kinds without a record"
    assert frozenset(NoticeGroup) == ALL_GROUPS


@pytest.mark.parametrize("language", Language)
def test_every_kind_has_the_texts_of_its_media(language) -> None:
    notices = load_catalog(language)["notices"]

    missing = [
        key
        for spec in CATALOGUE.values()
        for key in required_texts(spec)
        if not has_text(notices, key)
    ]
    assert not missing, f"missing in texts/{language}/notices.toml: {', '.join(missing)}"


def test_a_kind_that_the_panel_alone_shows_has_no_message_to_bundle() -> None:
    for spec in CATALOGUE.values():
        assert spec.media or spec.bundling is Bundling.NONE, spec.kind


def test_the_notices_of_a_first_check_name_a_driver_and_go_by_every_medium() -> None:
    """Their common message leaves by the media of any of them, and has a row for each driver."""
    specs = [spec for spec in CATALOGUE.values() if spec.bundling is Bundling.FIRST_CHECK]

    assert {spec.media for spec in specs} == {ALL_MEDIA}
    assert {spec.groups for spec in specs} == {frozenset({NoticeGroup.STATUS})}
    assert all(issubclass(spec.payload, DocumentPayload) for spec in specs)


def test_the_notices_bundled_by_kind_have_dates_to_list() -> None:
    for spec in CATALOGUE.values():
        assert spec.bundling is not Bundling.KIND or spec.payload is ExpiryPayload, spec.kind


def test_browsers_get_the_kinds_that_an_sms_carries() -> None:
    for spec in CATALOGUE.values():
        assert (Medium.PUSH in spec.media) is (Medium.SMS in spec.media), spec.kind


def test_a_notice_of_a_drivers_status_has_the_type_driver_status() -> None:
    types = {spec.kind: spec.type for spec in CATALOGUE.values()}

    assert {kind for kind, type_ in types.items() if type_ == "driver_status"} == {
        NoticeKind.WITHHELD,
        NoticeKind.RESTORED,
        NoticeKind.ATTENTION,
        NoticeKind.CONFIRMED,
        NoticeKind.NOT_FOUND,
        NoticeKind.CATEGORY_INVALID,
    }
    assert all(type_ in {"driver_status", kind.value} for kind, type_ in types.items())


@pytest.mark.parametrize("page", Page)
def test_service_workers_open_every_page(page) -> None:
    """A worker of any release shows a message without its text if the path is not the panel's."""
    rule = re.search(r"!/(.+)/\.test\(path\)", WORKER.read_text(encoding="utf-8"))

    assert rule
    assert re.search(rule[1], page)
    assert not set(page) & set("?#%\\ .")
