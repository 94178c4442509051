"""The data-processing agreement as PDF: that of a company, and the sample for visitors."""

from collections import OrderedDict

import msgspec

from prawko.accounts.authentication import Identity
from prawko.accounts.legal_acceptances import LegalAcceptanceRepository
from prawko.accounts.legal_documents import VERSIONS, LegalDocument
from prawko.accounts.repository import AccountRepository
from prawko.kit.context import AppContext
from prawko.kit.documents.child_process import PDF_LIMITS, run_in_process
from prawko.kit.text.i18n import Language
from prawko.legal.agreement import Agreement
from prawko.legal.agreement_builder import CustomerDetails, build_agreement
from prawko_tenants.fair_semaphore import FairSemaphore
from prawko_tenants.ids import TenantId

MAX_CACHED = 32
DRAWING_MODULE = "prawko.legal.pdf"


class AgreementService:
    """Returns agreements as PDF. No connection is held while one is drawn."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._renderer = context.components.get(AgreementRenderer)

    async def get_sample(self, language: Language) -> bytes:
        """Return the current text without a customer."""
        version = VERSIONS[LegalDocument.DATA_PROCESSING][0]
        return await self._renderer.draw(
            build_agreement(
                self._context.settings, version, language, customer=None, acceptance=None
            )
        )

    async def get_own(self, identity: Identity, language: Language) -> bytes:
        """Return the newest version that the company has accepted, else the current one."""
        versions = VERSIONS[LegalDocument.DATA_PROCESSING]
        async with self._context.database.tenant(identity.tenant_id) as session:
            accounts = AccountRepository(session)
            company = await accounts.get_company(identity.tenant_id)
            profile = await accounts.get(identity.user_id)
            customer = CustomerDetails(
                name=company.company_name,
                tax_id=company.tax_id,
                address=f"{company.street}, {company.postal_code} {company.city}",
                account_email=profile.email,
            )
            acceptances = LegalAcceptanceRepository(session)
            version, acceptance = versions[0], None
            for candidate in versions:
                acceptance = await acceptances.find_first(LegalDocument.DATA_PROCESSING, candidate)
                if acceptance is not None:
                    version = candidate
                    break
        return await self._renderer.draw(
            build_agreement(
                self._context.settings, version, language, customer=customer, acceptance=acceptance
            ),
            identity.tenant_id,
        )


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
            pdf = self._drawn.pop(content, None) or await run_in_process(
                DRAWING_MODULE, content, PDF_LIMITS
            )
            self._drawn[content] = pdf
            while len(self._drawn) > MAX_CACHED:
                self._drawn.popitem(last=False)
        return pdf
