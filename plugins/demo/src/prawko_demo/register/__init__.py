"""The register simulator: a server with both protocols of the licence register.

SOAP over mutual TLS on one port, the public JSON service and the control API on another. It
follows the register's documentation and shares no code with the adapters.
"""

from prawko_demo.register.server import RegisterSimulator, run_register_simulator

__all__ = ["RegisterSimulator", "run_register_simulator"]
