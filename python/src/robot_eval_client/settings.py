"""What connections of either protocol have in common."""

from __future__ import annotations

import logging
from typing import Any

# The messages of `websockets` itself (port scanners, health checks that hang up) are no news to a policy author.
quiet_log = logging.getLogger("robot_eval_client.websockets")
quiet_log.setLevel(logging.CRITICAL)

#: Frames that are no message, after which a peer is taken for something else than a peer.
MOST_BAD_FRAMES = 100
#: In which who dials must say `connect`.
CONNECT_TIMEOUT_S = 30.0

#: WebSocket settings that all share. Pictures are compressed already or cheaper to send than to compress.
#: An evaluator may be busy with physics for a while, so a missing pong is given time.
WEBSOCKET_OPTIONS: dict[str, Any] = {
    "compression": None,
    "ping_interval": 20,
    "ping_timeout": 120,
    "close_timeout": 2,
    "logger": quiet_log,
}

DEFAULT_MAX_SIZE = 64 * 1024 * 1024
