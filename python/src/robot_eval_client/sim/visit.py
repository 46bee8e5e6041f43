"""An evaluator's stay in a world."""

from __future__ import annotations

import logging
import threading
from collections import deque
from typing import Any

from ..errors import BadMessage
from ..messages import Heartbeat, PeerError
from .connection import SimConnection
from .messages import Close, Connect, Request

_log = logging.getLogger("robot_eval_client")

# An evaluator waits for its answer before it asks again. More than this is a flood.
_MOST_WAITING = 4
# How long a world may be at work before somebody else looks after its connection.
_AT_WORK_S = 0.25


class Visit:
    """The world's thread reads what it is asked itself, since to be woken by another one costs more than to read.

    While it is at work for long, the connection's own thread reads, so that heartbeats are answered.
    """

    def __init__(self, connection: SimConnection, connect: Connect) -> None:
        self._connection = connection
        self._waiting: deque[Request] = deque([connect])
        self._reading = threading.Lock()
        self._is_over = False
        self._left = threading.Event()

    def next_request(self) -> Request | None:
        """For the world's thread. None when the visit is over."""
        with self._reading:
            while not self._waiting and not self._is_over:
                self._read(None)
        if not self._is_over:
            return self._waiting.popleft()
        self._left.set()
        return None

    def reply(self, message: dict[str, Any]) -> None:
        self._connection.send(message)
        if message.get("fatal") is True:
            self._connection.close(1011, "no world")

    def stand_by(self) -> None:
        """For the connection's thread. Returns when the visit is over, though its world may be still at work."""
        while not self._is_over and not self._left.wait(_AT_WORK_S):
            if self._reading.acquire(blocking=False):
                try:
                    self._read(_AT_WORK_S)
                finally:
                    self._reading.release()

    def _read(self, timeout: float | None) -> None:
        try:
            message = self._connection.receive(timeout)
        except TimeoutError:
            return
        if message is None:
            self._is_over = True
        elif isinstance(message, Heartbeat):
            self._connection.beat(message)
        elif isinstance(message, PeerError):
            _log.warning("the evaluator says: %s: %s", message.code, message.message)
            self._is_over = message.fatal
        elif isinstance(message, Close):
            self._is_over = True
            self._connection.send({"type": "closed"} | ({} if message.seq is None else {"seq": message.seq}))
            self._connection.close()
        elif isinstance(message, Connect):
            self._connection.reject(BadMessage("connect comes once, at the beginning", "unexpected_message"))
        elif len(self._waiting) >= _MOST_WAITING:
            text = f"{len(self._waiting)} requests wait for their answers"
            self._connection.reject(BadMessage(text, "too_many_requests", message.seq))
        else:
            self._waiting.append(message)
