"""Shows every kind of notice in the panel, as an e-mail and as an SMS, in both languages.

Rendered by the product's own code; each e-mail is in a sandboxed frame.
"""

from html import escape

from litestar import Controller, MediaType, Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from prawko.base.context import AppContext
from prawko.base.errors import NotFoundError
from prawko.base.gsm7 import MAX_SEGMENT_LENGTH
from prawko.base.i18n import Language
from prawko.hooks.channels import Medium, Message
from prawko.notifications.kinds import MEDIA_BY_KIND, notification_type
from prawko.notifications.templates import Branding, render_entry, render_message
from prawko_demo.clock import FileClock
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
_PAGE_START = """\
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>Notices: developer tools of the demo</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/dev/page/page.css">
    <link rel="stylesheet" href="/dev/page/notices.css">
  </head>
  <body>
    <header class="rail">
      <p class="brand">Prawko <span>demo</span></p>
      <nav aria-label="Demo"><a href="/dev">Developer tools</a> <a href="/panel">Panel</a></nav>
    </header>
    <main>
      <h1>Notices</h1>
      <p class="lead">Every kind of notice, with invented people and the texts that recipients get.
        Nothing is sent from here.</p>
"""
_PAGE_END = "    </main>\n  </body>\n</html>\n"


class NoticePreviewController(Controller):
    """The preview of notices."""

    path = "/notices"

    @get(media_type=MediaType.HTML, sync_to_thread=False)
    def show_all(
        self, context: NamedDependency[AppContext], file_clock: NamedDependency[FileClock]
    ) -> Response[str]:
        """Return a page with all samples."""
        samples, branding = build_samples(file_clock.now()).values(), _branding_of(context)
        links = "".join(f'<a href="#{s.name}">{escape(s.title)}</a>\n' for s in samples)
        sections = "".join(_render_section(sample, branding) for sample in samples)
        nav = f'<nav class="kinds" aria-label="Kinds">\n{links}</nav>\n'
        return Response(
            _PAGE_START + nav + sections + _PAGE_END,
            media_type="text/html; charset=utf-8",
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
        if sample is None or not MEDIA_BY_KIND[sample.kind] or lang not in set(Language):
            raise NotFoundError
        html = _render_message(sample, Language(lang), _branding_of(context)).html
        return Response(html, media_type="text/html; charset=utf-8", headers=_EMAIL_HEADERS)


def _branding_of(context: AppContext) -> Branding:
    return Branding(context.settings.brand, context.settings.base_url)


def _render_message(sample: NoticeSample, language: Language, branding: Branding) -> Message:
    return render_message(sample.kind, sample.payload, language, branding, bundled=sample.bundled)


def _render_section(sample: NoticeSample, branding: Branding) -> str:
    sent = " and ".join(
        word
        for medium, word in {Medium.EMAIL: "mail", Medium.SMS: "SMS"}.items()
        if medium in MEDIA_BY_KIND[sample.kind]
    )
    media = f"Panel, {sent}" if sent else "Panel only"
    columns = "".join(_render_column(sample, language, branding) for language in Language)
    return (
        f'<section class="kind" id="{sample.name}" aria-labelledby="{sample.name}-title">\n'
        f'<div class="title"><h2 id="{sample.name}-title">{escape(sample.title)}</h2>'
        f'<p class="soft">{media} · type {escape(notification_type(sample.kind))}</p></div>\n'
        f'<div class="pair">\n{columns}</div>\n</section>\n'
    )


def _render_column(sample: NoticeSample, language: Language, branding: Branding) -> str:
    payloads = (sample.payload, *sample.bundled)
    entries = [render_entry(sample.kind, payload, language) for payload in payloads]
    rows = "".join(
        f'<div class="entry"><h3>{escape(entry.title)}</h3><p>{escape(entry.content)}</p></div>\n'
        for entry in entries
    )
    start = (
        f'<div lang="{language.value}">\n<p class="label">{_LANGUAGE_NAMES[language]}: panel</p>\n'
    )
    if not MEDIA_BY_KIND[sample.kind]:
        return f"{start}{rows}</div>\n"
    message = _render_message(sample, language, branding)
    sms = "SMS" if Medium.SMS in MEDIA_BY_KIND[sample.kind] else "short line, not sent as SMS"
    path = f"/dev/notices/{sample.name}/{language.value}"
    return (
        f"{start}{rows}"
        f'<p class="label">{sms}, {len(message.sms_text)} of {MAX_SEGMENT_LENGTH}</p>\n'
        f'<p class="line">{escape(message.sms_text)}</p>\n'
        f'<p class="label">Mail: <strong>{escape(message.subject)}</strong> '
        f'<a href="{path}">alone</a></p>\n'
        f'<iframe sandbox loading="lazy" src="{path}" title="{escape(message.subject)}"></iframe>\n'
        f"<details><summary>Mail as text</summary><pre>{escape(message.text)}</pre></details>\n"
        "</div>\n"
    )
