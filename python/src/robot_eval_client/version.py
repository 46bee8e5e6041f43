"""Versions of the package and of the protocol, which change independently."""

__version__ = "0.1.0"

PROTOCOL_VERSION = "1.0"
