"""Shows every kind of notice in the panel, as an e-mail and as an SMS, in both languages.

Rendered by the product's own code; each e-mail is in a sandboxed frame.
"""

from litestar import Controller, MediaType, Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from prawko.hooks.channels import Medium, Message
from prawko.kit.context import AppContext
from prawko.kit.errors import NotFoundError
from prawko.kit.text.gsm7 import MAX_SEGMENT_LENGTH
from prawko.kit.text.i18n import Language
from prawko.notifications.catalogue import CATALOGUE
from prawko.notifications.templates import Branding, render_entry, render_message
from prawko_demo.clock import FileClock
from prawko_demo.dev_api.html_template import render_template
from prawko_demo.dev_api.notice_samples import NoticeSample, build_samples

_PAGE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )
}
_EMAIL_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; "
        "frame-ancestors 'self'; sandbox"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}
_LANGUAGE_NAMES = {Language.PL: "Polish", Language.EN: "English"}


class NoticePreviewController(Controller):
    """The preview of notices."""

    path = "/notices"

    @get(media_type=MediaType.HTML, sync_to_thread=False)
    def show_all(
        self, context: NamedDependency[AppContext], file_clock: NamedDependency[FileClock]
    ) -> Response[str]:
        """Return a page with all samples."""
        samples, branding = build_samples(file_clock.now()).values(), _branding_of(context)
        page = render_template(
            "notices",
            language=Language.EN.value,
            samples=[_preview_sample(sample, branding) for sample in samples],
            max_segment_length=MAX_SEGMENT_LENGTH,
        )
        return Response(
            page,
            media_type="text/html",
            headers={**_PAGE_HEADERS, "Cache-Control": "no-store"},
        )

    @get("/{name:str}/{lang:str}", media_type=MediaType.HTML, sync_to_thread=False)
    def show_email(
        self,
        name: FromPath[str],
        lang: FromPath[str],
        context: NamedDependency[AppContext],
        file_clock: NamedDependency[FileClock],
    ) -> Response[str]:
        """Return the HTML of one e-mail, exactly as it is sent."""
        sample = build_samples(file_clock.now()).get(name)
        if sample is None or not CATALOGUE[sample.kind].media or lang not in set(Language):
            raise NotFoundError
        html = _render_message(sample, Language(lang), _branding_of(context)).html
        return Response(html, media_type="text/html", headers=_EMAIL_HEADERS)


def _branding_of(context: AppContext) -> Branding:
    return Branding(context.settings.brand, context.settings.base_url)


def _render_message(sample: NoticeSample, language: Language, branding: Branding) -> Message:
    return render_message(sample.kind, sample.payload, language, branding, bundled=sample.bundled)


def _preview_sample(sample: NoticeSample, branding: Branding) -> dict[str, object]:
    media = CATALOGUE[sample.kind].media
    words = {Medium.EMAIL: "mail", Medium.SMS: "SMS"}
    sent = " and ".join(word for medium, word in words.items() if medium in media)
    return {
        "name": sample.name,
        "title": sample.title,
        "type": CATALOGUE[sample.kind].type,
        "media": f"Panel, {sent}" if sent else "Panel only",
        "is_sent_by_sms": Medium.SMS in media,
        "previews": [_preview_language(sample, language, branding) for language in Language],
    }


def _preview_language(
    sample: NoticeSample, language: Language, branding: Branding
) -> dict[str, object]:
    payloads = (sample.payload, *sample.bundled)
    is_sent = CATALOGUE[sample.kind].media
    return {
        "language": language.value,
        "language_name": _LANGUAGE_NAMES[language],
        "entries": [render_entry(sample.kind, payload, language) for payload in payloads],
        "message": _render_message(sample, language, branding) if is_sent else None,
    }
