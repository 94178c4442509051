"""The base of our PDF documents: A4, our margins and font, a footer with page numbers.

Loads a PDF library of some 50 MB, so callers import this module only where they render.
"""

from importlib.resources import files
from typing import Any, Literal, cast

from anyascii import anyascii
from fpdf import FPDF
from fpdf.enums import Align, MethodReturnValue, XPos, YPos
from fpdf.fonts import TTFFont

# The zero of licence numbers has a slash; elsewhere it would read as "none".
TEXT_FONT, SERIAL_FONT = "Prawko Plain Zero", "Atkinson Hyperlegible Next"
# Has every letter that names may have, and is loaded for a text that the others cannot show.
FALLBACK_FONT = "DejaVu Sans"
MARGIN = 20.0
BOTTOM_MARGIN = 22.0
CONTENT_WIDTH = 170.0
TEXT_COLOUR = (24, 24, 27)
MUTED_COLOUR = (113, 113, 122)
RULE_COLOUR = (212, 212, 216)
FOOTER_SIZE, TEXT_SIZE, TITLE_SIZE = 7.0, 10.0, 24.0
LINE_HEIGHT = 5.0


class PdfDocument(FPDF):
    """An empty document. The same content gives the same bytes, once a creation date is set.

    The footer is `footer_text`, in which `{page}` and `{pages}` are replaced.
    """

    def __init__(self, title: str, language: str, footer_text: str) -> None:
        super().__init__(format="A4")
        self.set_margins(MARGIN, MARGIN)
        self.set_auto_page_break(auto=True, margin=BOTTOM_MARGIN)
        self._load_font(TEXT_FONT, "", "PrawkoPlainZero-Regular")
        self._load_font(TEXT_FONT, "B", "PrawkoPlainZero-Bold")
        self._load_font(SERIAL_FONT, "", "AtkinsonHyperlegibleNext-Regular")
        self.set_lang(language)
        self.set_title(title)
        self.set_producer("Prawko")
        self._footer_text = footer_text

    def multi_cell(
        self, w: float, h: float | None = None, text: str = "", *args: Any, **options: Any
    ) -> Any:
        """Draw a text in a font that has its letters; the library's tables call this, too.

        The library's own fallback of single letters loses the font at the end of a line.
        """
        family = self.font_family
        text = self._choose_font(text)
        drawn = super().multi_cell(w, h, text, *args, **options)
        self.set_font(family, self.font_style)
        return drawn

    def wrap(self, text: str, width: float) -> list[str]:
        """Return the lines of a text, each at most so wide; quick for those that need no break."""
        family, lines = self.font_family, list[str]()
        for line in self._choose_font(text).split("\n"):
            if self.get_string_width(line) <= width:
                lines.append(line)
            else:
                options: Any = {"dry_run": True, "output": MethodReturnValue.LINES}
                given = width + 2 * self.c_margin
                broken = super().multi_cell(given, LINE_HEIGHT, line, **options)
                lines += cast("list[str]", broken)
        self.set_font(family, self.font_style)
        return lines

    def draw_line(self, x: float, y: float, text: str) -> None:
        """Draw a text in one line, of which `y` is the baseline."""
        family = self.font_family
        self.text(x, y, self._choose_font(text))
        self.set_font(family, self.font_style)

    def _choose_font(self, text: str) -> str:
        """Set the font for a text; return the text as the font can show it.

        Letters that no font has, as in old data and in answers of registers, become Latin ones.
        """
        if not self._list_missing(text):
            return text
        if FALLBACK_FONT.lower() not in self.fonts:
            self._load_font(FALLBACK_FONT, "", "DejaVuSans-Regular")
            self._load_font(FALLBACK_FONT, "B", "DejaVuSans-Bold")
        self.set_font(FALLBACK_FONT, self.font_style)
        for character in self._list_missing(text):
            latin = anyascii(character) or ("?" if character.isprintable() else "")
            text = text.replace(character, latin)
        return text

    def _list_missing(self, text: str) -> list[str]:
        font = cast("TTFFont", self.current_font)
        return [c for c in text if c >= " " and ord(c) not in font.cmap]

    def _load_font(self, family: str, style: Literal["", "B"], name: str) -> None:
        path = files("prawko.kit.documents").joinpath("fonts", f"{name}.ttf")
        self.add_font(family, style, str(path))

    def footer(self) -> None:
        """Draw the footer; called by the library on every page."""
        self.set_y(-15)
        self.set_text_style(FOOTER_SIZE, MUTED_COLOUR)
        text = self._footer_text.replace("{page}", str(self.page_no())).replace("{pages}", "{nb}")
        self.cell(CONTENT_WIDTH, 4, text)

    def set_text_style(
        self, size: float, colour: tuple[int, int, int] = TEXT_COLOUR, *, bold: bool = False
    ) -> None:
        """Set the font and colour of the next text."""
        self.set_font(TEXT_FONT, "B" if bold else "", size)
        self.set_text_color(*colour)

    def draw_rule(self, width: float = CONTENT_WIDTH, x: float = MARGIN) -> None:
        """Draw a thin horizontal line at the cursor."""
        self.set_draw_color(*RULE_COLOUR)
        self.set_line_width(0.2)
        self.line(x, self.get_y(), x + width, self.get_y())

    def draw_paragraph(
        self,
        text: str,
        width: float,
        *,
        bold: bool = False,
        serial: bool = False,
        align: Align = Align.L,
    ) -> None:
        """Draw a wrapping paragraph and move the cursor below it. `serial`: a licence number."""
        self.set_text_style(TEXT_SIZE, bold=bold)
        if serial:
            self.set_font(SERIAL_FONT)
        self.multi_cell(width, LINE_HEIGHT, text, align=align, new_x=XPos.LEFT, new_y=YPos.NEXT)
