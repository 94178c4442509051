"""The register simulator: a server of its own that speaks both protocols of the register.

SOAP over mutual TLS on one port, the public JSON service and the control API on another.
It is written against what is known of the register and shares no code with the adapters.
"""

from prawko_demo.register.server import RunningRegister, running_register

__all__ = ["RunningRegister", "running_register"]
