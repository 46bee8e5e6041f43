"""The package's version, and the protocol's, which change for different reasons."""

__version__ = "0.1.0"

PROTOCOL_VERSION = "1.0"
