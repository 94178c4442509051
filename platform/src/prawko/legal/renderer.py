"""Draws agreements in separate processes, and keeps the latest."""

from collections import OrderedDict

import msgspec

from prawko.kit.documents.pdf_process import draw_in_process
from prawko.legal.agreement import Agreement
from prawko_tenants.fair_semaphore import FairSemaphore
from prawko_tenants.ids import TenantId

MAX_CACHED = 32
DRAWING_MODULE = "prawko.legal.pdf"


class AgreementRenderer:
    """Draws one agreement at a time; the latest ones are kept and not drawn again.

    Companies are served in turn; the sample belongs to no company.
    """

    def __init__(self) -> None:
        self._drawing = FairSemaphore(1, per_company=1)
        self._drawn: OrderedDict[bytes, bytes] = OrderedDict()  # the latest at the end

    async def draw(self, agreement: Agreement, company: TenantId | None = None) -> bytes:
        """Return the PDF. Raises UnavailableError when it cannot be drawn."""
        content = msgspec.json.encode(agreement)
        async with self._drawing.slot(company):
            pdf = self._drawn.pop(content, None) or await draw_in_process(DRAWING_MODULE, content)
            self._drawn[content] = pdf
            while len(self._drawn) > MAX_CACHED:
                self._drawn.popitem(last=False)
        return pdf
