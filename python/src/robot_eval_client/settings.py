"""Settings shared by both protocols."""

from __future__ import annotations

import logging
from typing import Any

# Silences the messages of `websockets` about port scanners and aborted health checks.
quiet_log = logging.getLogger("robot_eval_client.websockets")
quiet_log.setLevel(logging.CRITICAL)

#: The connection is closed after this many invalid frames.
MAX_BAD_FRAMES = 100
#: Time within which a client must send `connect`.
CONNECT_TIMEOUT_S = 30.0

#: WebSocket settings of all connections. Images are already compressed, or cheaper to send than to compress.
#: The ping timeout is long because an evaluator may be busy simulating for a while.
WEBSOCKET_OPTIONS: dict[str, Any] = {
    "compression": None,
    "ping_interval": 20,
    "ping_timeout": 120,
    "close_timeout": 2,
    "logger": quiet_log,
}

DEFAULT_MAX_SIZE = 64 * 1024 * 1024
