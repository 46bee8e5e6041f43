"""The session of one evaluator with one environment."""

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

# An evaluator waits for its answer before it sends the next request. More is a flood.
_MAX_WAITING = 4
# After this time without an answer, the connection's thread reads messages, so that heartbeats are answered.
_BUSY_S = 0.25


class SimSession:
    """Requests of one connection, read by the environment's thread.

    That thread reads requests itself, because being woken by another thread would take longer. While it is busy, the
    connection's thread reads, so that heartbeats are answered.
    """

    def __init__(self, connection: SimConnection, connect: Connect) -> None:
        self._connection = connection
        self._waiting: deque[Request] = deque([connect])
        self._reading = threading.Lock()
        self._is_over = False
        self._finished = threading.Event()

    def next_request(self) -> Request | None:
        """Called in the environment's thread. None when the session is over."""
        with self._reading:
            while not self._waiting and not self._is_over:
                self._read(None)
        if not self._is_over:
            return self._waiting.popleft()
        self._finished.set()
        return None

    def reply(self, message: dict[str, Any]) -> None:
        self._connection.send(message)
        if message.get("fatal") is True:
            self._connection.close(1011, "no environment")

    def wait_until_over(self) -> None:
        """Called in the connection's thread. Returns when the session is over; the environment may still be busy."""
        while not self._is_over and not self._finished.wait(_BUSY_S):
            if self._reading.acquire(blocking=False):
                try:
                    self._read(_BUSY_S)
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
            self._connection.answer_heartbeat(message)
        elif isinstance(message, PeerError):
            _log.warning("error from the evaluator: %s: %s", message.code, message.message)
            self._is_over = message.fatal
        elif isinstance(message, Close):
            self._is_over = True
            self._connection.send({"type": "closed"} | ({} if message.seq is None else {"seq": message.seq}))
            self._connection.close()
        elif isinstance(message, Connect):
            self._connection.reject(BadMessage("connect is only valid once, at the start", "unexpected_message"))
        elif len(self._waiting) >= _MAX_WAITING:
            text = f"{len(self._waiting)} requests are unanswered; wait for an answer"
            self._connection.reject(BadMessage(text, "too_many_requests", message.seq))
        else:
            self._waiting.append(message)
