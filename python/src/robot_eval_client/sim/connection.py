"""One WebSocket of the simulator protocol.

It uses no event loop: answers are sent from the environment's thread. Waking an event loop for each answer took longer
than sending it, because its code is no longer in the processor's caches after a physics step.
"""

from __future__ import annotations

import time
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection

from ..codec import decode_frame, encode_frame
from ..errors import BadMessage
from ..messages import Heartbeat, PeerError, heartbeat_message
from ..settings import CONNECT_TIMEOUT_S, MAX_BAD_FRAMES
from .messages import Connect, Message, error_message, read_sim_message
from .values import json_value


class SimConnection:
    """One thread receives; any thread may send."""

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket
        self._encoding = "msgpack"
        self._bad_frames = 0

    def receive(self, timeout: float | None = None) -> Message | None:
        """The next valid message; None when the connection has ended. Invalid frames are answered with `error`."""
        while True:
            try:
                frame = self._socket.recv(timeout)
            except ConnectionClosed:
                return None
            # Answer in the encoding of the request; JSON is for manual testing.
            self._encoding = "json" if isinstance(frame, str) else "msgpack"
            try:
                return read_sim_message(decode_frame(frame))
            except BadMessage as error:
                if not self.reject(error):
                    return None

    def first_message(self) -> Connect | None:
        """The first message, which must be `connect`; None if it does not arrive."""
        deadline = time.monotonic() + CONNECT_TIMEOUT_S
        while True:
            try:
                message = self.receive(max(0.0, deadline - time.monotonic()))
            except TimeoutError:
                self.refuse("connect_timeout", f"no `connect` received within {CONNECT_TIMEOUT_S:.0f} s", 1008)
                return None
            if message is None or isinstance(message, Connect):
                return message
            if isinstance(message, PeerError):
                # An `error` is never answered with an `error`.
                if message.fatal:
                    return None
            elif isinstance(message, Heartbeat):
                self.answer_heartbeat(message)
            elif not self.reject(BadMessage("send `connect` first and wait for `connected`", "unexpected_message")):
                return None

    def answer_heartbeat(self, heartbeat: Heartbeat) -> None:
        if not heartbeat.is_answer:
            self.send(heartbeat_message("", heartbeat.t))

    def send(self, message: dict[str, Any]) -> None:
        try:
            frame = self._frame(message)
        except Exception as error:
            text = f"the answer cannot be encoded: {type(error).__name__}: {error}"
            frame = self._frame(error_message(message.get("seq"), "simulator_error", text, "platform"))
        try:
            self._socket.send(frame)
        except ConnectionClosed:
            pass

    def _frame(self, message: dict[str, Any]) -> str | bytes:
        return encode_frame(json_value(message) if self._encoding == "json" else message, self._encoding)

    def reject(self, error: BadMessage) -> bool:
        """Sends `error`; False after too many bad frames, when the connection is closed."""
        self._bad_frames += 1
        self.send(error_message(error.re_seq, error.code, str(error), "platform"))
        if self._bad_frames <= MAX_BAD_FRAMES:
            return True
        self.close(1008, "too many bad messages")
        return False

    def refuse(self, code: str, text: str, close_code: int) -> None:
        """Sends a fatal error and closes the connection."""
        self.send(error_message(None, code, text, "platform", fatal=True))
        self.close(close_code, code)

    def close(self, code: int = 1000, reason: str = "") -> None:
        self._socket.close(code, reason)
