"""One WebSocket: frames in and out, until it ends."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from websockets.exceptions import ConnectionClosed

from .codec import decode_frame, encode_frame
from .errors import BadMessage
from .messages import Heartbeat, Message, PeerError, error_message, heartbeat_message, read_message

if TYPE_CHECKING:
    from websockets.asyncio.connection import Connection as WebSocket

    from .link import Link

_log = logging.getLogger("robot_eval_client")

# The messages of `websockets` itself (port scanners, health checks that hang up) are no news to a policy author.
quiet_log = logging.getLogger("robot_eval_client.websockets")
quiet_log.setLevel(logging.CRITICAL)

_MOST_BAD_FRAMES = 100
# What a peer is closed with for frames that WebSocket forbids, or that are too big.
_FORBIDDEN = (1002, 1007, 1009)
# Answers on their way to a peer that asks and does not read; then it is not listened to either.
_MOST_SENDING = 64

#: WebSocket settings that both directions share. Pictures are compressed already or cheaper to send than to compress.
#: An evaluator may be busy with physics for a while, so a missing pong is given time.
WEBSOCKET_OPTIONS: dict[str, Any] = {
    "compression": None,
    "ping_interval": 20,
    "ping_timeout": 120,
    "close_timeout": 2,
    "logger": quiet_log,
}

DEFAULT_MAX_SIZE = 64 * 1024 * 1024


class Connection:
    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._bad_frames = 0
        self._sending: set[asyncio.Task[None]] = set()
        self.encoding = "json"
        self.session_id = ""
        #: Closed by a peer that meant to: 1000, or a close frame without a code.
        self.ended_orderly = False
        #: Closed by us for what the peer sent.
        self.sent_away = False

    async def receive(self) -> Message | None:
        """The next message that is one; None when the connection has ended. Others are answered with `error`."""
        while True:
            try:
                frame = await self._socket.recv()
            except ConnectionClosed as closed:
                self.ended_orderly = closed.rcvd is not None and closed.rcvd.code in (1000, 1005)
                if not closed.rcvd_then_sent and closed.sent is not None and closed.sent.code in _FORBIDDEN:
                    self.sent_away = True
                return None
            try:
                return read_message(decode_frame(frame))
            except BadMessage as error:
                if not await self._reject(error):
                    return None

    async def run(self, link: Link) -> None:
        """Passes messages to the link until the connection ends or the link does."""
        while not link.ended:
            if len(self._sending) > _MOST_SENDING:
                await asyncio.wait(self._sending, return_when=asyncio.FIRST_COMPLETED)
            message = await self.receive()
            if message is None:
                return
            try:
                link.handle(message)
            except BadMessage as error:
                if not await self._reject(error, getattr(message, "session_id", "")):
                    return
            except Exception as error:
                _log.exception("a message could not be handled")
                self.post(error_message(self.session_id, "internal_error", f"{type(error).__name__}: {error}"))

    def post(self, message: dict[str, Any]) -> None:
        """Sends without waiting: the reader goes on, whatever the peer's pace."""
        task = asyncio.get_running_loop().create_task(self.send(message))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def send(self, message: dict[str, Any], encoding: str | None = None) -> None:
        try:
            await self._socket.send(encode_frame(message, encoding or self.encoding))
        except ConnectionClosed:
            pass

    async def refuse(self, code: str, text: str, close_code: int) -> None:
        """Says why, and closes."""
        await self.send(error_message(self.session_id, code, text, fatal=True), "json")
        await self.close(close_code, code)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        if self._sending:
            await asyncio.wait(self._sending, timeout=1)
        await self._socket.close(code, reason)

    async def reject_early(self, message: Message) -> bool:
        """Answers a message that came before the handshake was over; an error is never answered with an error."""
        if isinstance(message, PeerError):
            return not message.fatal
        if isinstance(message, Heartbeat):
            if not message.is_answer:
                await self.send(heartbeat_message(message.session_id, message.t))
            return True
        return await self._reject(BadMessage("the first message is `connect`, and its answer", "unexpected_message"))

    async def _reject(self, error: BadMessage, session_id: str = "") -> bool:
        """False when the peer has had its chances."""
        self._bad_frames += 1
        own = session_id or self.session_id
        await self.send(error_message(own, error.code, str(error), re_seq=error.re_seq))
        if self._bad_frames <= _MOST_BAD_FRAMES:
            return True
        self.sent_away = True
        await self.close(1008, "too many bad messages")
        return False

