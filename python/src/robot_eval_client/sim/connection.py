"""One WebSocket of the simulator protocol."""

from __future__ import annotations

import asyncio
from typing import Any

from websockets.asyncio.server import ServerConnection

from ..codec import encode_frame
from ..errors import BadMessage
from ..wire import Wire
from .messages import Message, error_message, read_sim_message
from .values import json_value


class SimConnection(Wire[Message]):
    def __init__(self, socket: ServerConnection) -> None:
        super().__init__(socket)
        self._loop = asyncio.get_running_loop()
        self.encoding = "msgpack"
        self.unanswered = 0

    def read(self, raw: dict[Any, Any]) -> Message:
        # It is answered in the form in which it speaks: text is for people who try things out.
        self.encoding = "json" if self.heard_text else "msgpack"
        return read_sim_message(raw)

    def complaint(self, error: BadMessage, session_id: str) -> dict[str, Any]:
        return error_message(error.re_seq, error.code, str(error), "platform")

    def reply(self, message: dict[str, Any]) -> None:
        """From the world's thread: the frame is written there, where nobody waits for the event loop."""
        try:
            frame = self._frame(message)
        except Exception as error:
            text = f"an answer that cannot be written: {type(error).__name__}: {error}"
            frame = self._frame(error_message(message.get("seq"), "simulator_error", text, "platform"))
        try:
            self._loop.call_soon_threadsafe(self._deliver, frame, message.get("fatal") is True)
        except RuntimeError:
            pass  # The server is gone.

    def _frame(self, message: dict[str, Any]) -> str | bytes:
        return encode_frame(json_value(message) if self.encoding == "json" else message, self.encoding)

    def _deliver(self, frame: str | bytes, fatal: bool) -> None:
        self.unanswered -= 1
        self.post_frame(frame)
        if fatal:
            self._start(self.close(1011, "no world"))
