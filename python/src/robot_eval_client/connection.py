"""One WebSocket of the policy protocol."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, TypeVar

from websockets.exceptions import ConnectionClosed

from .codec import decode_frame, encode_frame
from .errors import BadMessage
from .messages import Heartbeat, Message, PeerError, error_message, heartbeat_message, read_message
from .settings import CONNECT_TIMEOUT_S, MAX_BAD_FRAMES

if TYPE_CHECKING:
    from websockets.asyncio.connection import Connection as WebSocket

    from .link import Link

_log = logging.getLogger("robot_eval_client")

# Close codes for frames that violate the WebSocket protocol or are too large.
_FORBIDDEN = (1002, 1007, 1009)
# Back-pressure: while more answers than this are being sent, no further messages are read.
_MAX_SENDING = 64

G = TypeVar("G")


class Connection:
    """Sends and receives messages until the connection ends."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._bad_frames = 0
        self._sending: set[asyncio.Task[None]] = set()
        self.encoding = "json"
        self.session_id = ""
        #: The peer closed the connection deliberately: code 1000, or a close frame without a code.
        self.closed_normally = False
        #: This side closed the connection because of invalid frames.
        self.closed_for_errors = False

    async def receive(self) -> Message | None:
        """The next valid message; None when the connection has ended. Invalid frames are answered with `error`."""
        while True:
            try:
                frame = await self._socket.recv()
            except ConnectionClosed as closed:
                self.closed_normally = closed.rcvd is not None and closed.rcvd.code in (1000, 1005)
                if not closed.rcvd_then_sent and closed.sent is not None and closed.sent.code in _FORBIDDEN:
                    self.closed_for_errors = True
                return None
            try:
                return read_message(decode_frame(frame))
            except BadMessage as error:
                if not await self.reject(error):
                    return None

    async def first_message(self, kind: type[G]) -> G | None:
        """The first message, which must be of this kind; None if it does not arrive."""
        try:
            return await asyncio.wait_for(self._first(kind), CONNECT_TIMEOUT_S)
        except asyncio.TimeoutError:
            await self.refuse("connect_timeout", f"no `connect` received within {CONNECT_TIMEOUT_S:.0f} s", 1008)
            return None

    async def _first(self, kind: type[G]) -> G | None:
        while True:
            message = await self.receive()
            if message is None or isinstance(message, kind):
                return message
            if not await self.reject_early(message):
                return None

    async def reject_early(self, message: Message) -> bool:
        """Answers a message that arrived during the handshake. An `error` is never answered with an `error`."""
        if isinstance(message, PeerError):
            return not message.fatal
        if isinstance(message, Heartbeat):
            if not message.is_answer:
                await self.send(heartbeat_message(message.session_id, message.t))
            return True
        return await self.reject(BadMessage("send `connect` first and wait for `connected`", "unexpected_message"))

    async def refuse(self, code: str, text: str, close_code: int) -> None:
        """Sends a fatal error and closes the connection."""
        await self.send({**self._error(BadMessage(text, code), ""), "fatal": True})
        await self.close(close_code, code)

    async def wait_for_capacity(self) -> None:
        """Waits while too many answers are being sent."""
        if len(self._sending) > _MAX_SENDING:
            await asyncio.wait(self._sending, return_when=asyncio.FIRST_COMPLETED)

    def post(self, message: dict[str, Any]) -> None:
        """Sends in the background, so that a slow peer does not block reading."""
        task = asyncio.get_running_loop().create_task(self.send(message))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def send(self, message: dict[str, Any], encoding: str | None = None) -> None:
        frame = encode_frame(message, encoding or self.encoding)
        try:
            await self._socket.send(frame)
        except ConnectionClosed:
            pass

    async def close(self, code: int = 1000, reason: str = "") -> None:
        others = self._sending - {asyncio.current_task()}
        if others:
            await asyncio.wait(others, timeout=1)
        await self._socket.close(code, reason)

    async def reject(self, error: BadMessage, session_id: str = "") -> bool:
        """Sends `error`; False after too many bad frames, when the connection is closed."""
        self._bad_frames += 1
        await self.send(self._error(error, session_id))
        if self._bad_frames <= MAX_BAD_FRAMES:
            return True
        self.closed_for_errors = True
        await self.close(1008, "too many bad messages")
        return False

    def _error(self, error: BadMessage, session_id: str) -> dict[str, Any]:
        return error_message(session_id or self.session_id, error.code, str(error), re_seq=error.re_seq)

    async def run(self, link: Link) -> None:
        """Passes messages to the link until the connection ends or the link does."""
        while not link.ended:
            await self.wait_for_capacity()
            message = await self.receive()
            if message is None:
                return
            try:
                link.handle(message)
            except BadMessage as error:
                if not await self.reject(error, getattr(message, "session_id", "")):
                    return
            except Exception as error:
                _log.exception("failed to handle a message")
                self.post(error_message(self.session_id, "internal_error", f"{type(error).__name__}: {error}"))
