"""The register simulator between tests."""

from collections.abc import Mapping

from prawko_demo.register import RegisterSimulator
from prawko_demo.register.document_store import UnknownSerialMode
from prawko_demo.register.documents import RegisterDocument
from prawko_demo.register.faults import FaultPlan
from prawko_demo.register.soap import SoapService


def reset_simulator(
    simulator: RegisterSimulator, documents: Mapping[str, RegisterDocument] | None = None
) -> RegisterSimulator:
    """Return the simulator as it is after its start, with these documents alone."""
    store = simulator.document_store
    store.unknown_mode = UnknownSerialMode.AUTO
    store.reset_calls()
    for serial in tuple(store.documents):
        store.delete(serial)
    for serial, document in (documents or {}).items():
        store.put(serial, document)
    simulator.soap = SoapService(store)
    simulator.faults.plan = FaultPlan(kind=None)
    simulator.control.delay = 0.0
    simulator.followed_count = 0
    return simulator
