"""One WebSocket that carries messages of either protocol: frames in and out, until it ends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from websockets.exceptions import ConnectionClosed

from .codec import decode_frame, encode_frame
from .errors import BadMessage
from .messages import Heartbeat, PeerError, heartbeat_message

if TYPE_CHECKING:
    from websockets.asyncio.connection import Connection as WebSocket

# The messages of `websockets` itself (port scanners, health checks that hang up) are no news to a policy author.
quiet_log = logging.getLogger("robot_eval_client.websockets")
quiet_log.setLevel(logging.CRITICAL)

MOST_BAD_FRAMES = 100
# What a peer is closed with for frames that WebSocket forbids, or that are too big.
_FORBIDDEN = (1002, 1007, 1009)
# Answers on their way to a peer that asks and does not read; then it is not listened to either.
_MOST_SENDING = 64
# In which who dials must say `connect`.
CONNECT_TIMEOUT_S = 30.0

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

M = TypeVar("M")
G = TypeVar("G")


class Wire(Generic[M]):
    """What is received is read by `read`; what cannot be read is answered with `complaint`."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._bad_frames = 0
        self._sending: set[asyncio.Task[None]] = set()
        self.encoding = "json"
        #: Whether the last frame was text.
        self.heard_text = False
        #: Closed by a peer that meant to: 1000, or a close frame without a code.
        self.ended_orderly = False
        #: Closed by us for what the peer sent.
        self.sent_away = False

    def read(self, raw: dict[Any, Any]) -> M:
        raise NotImplementedError

    def complaint(self, error: BadMessage, session_id: str) -> dict[str, Any]:
        raise NotImplementedError

    async def receive(self) -> M | None:
        """The next message that is one; None when the connection has ended. Others are answered with `error`."""
        while True:
            try:
                frame = await self._socket.recv()
            except ConnectionClosed as closed:
                self.ended_orderly = closed.rcvd is not None and closed.rcvd.code in (1000, 1005)
                if not closed.rcvd_then_sent and closed.sent is not None and closed.sent.code in _FORBIDDEN:
                    self.sent_away = True
                return None
            self.heard_text = isinstance(frame, str)
            try:
                return self.read(decode_frame(frame))
            except BadMessage as error:
                if not await self.reject(error):
                    return None

    async def greeting(self, kind: type[G]) -> G | None:
        """The first message, which is of this kind; None where it does not come."""
        try:
            return await asyncio.wait_for(self._first(kind), CONNECT_TIMEOUT_S)
        except asyncio.TimeoutError:
            await self.refuse("connect_timeout", f"no connect within {CONNECT_TIMEOUT_S:.0f} s", 1008)
            return None

    async def _first(self, kind: type[G]) -> G | None:
        while True:
            message = await self.receive()
            if message is None or isinstance(message, kind):
                return message
            if not await self.reject_early(message):
                return None

    async def reject_early(self, message: M) -> bool:
        """Answers a message that came before the handshake was over; an error is never answered with an error."""
        if isinstance(message, PeerError):
            return not message.fatal
        if isinstance(message, Heartbeat):
            if not message.is_answer:
                await self.send(heartbeat_message(message.session_id, message.t))
            return True
        return await self.reject(BadMessage("the first message is `connect`, and its answer", "unexpected_message"))

    async def refuse(self, code: str, text: str, close_code: int) -> None:
        """Says why, and closes."""
        await self.send({**self.complaint(BadMessage(text, code), ""), "fatal": True})
        await self.close(close_code, code)

    async def wait_for_room(self) -> None:
        """Returns when not too many answers are on their way."""
        if len(self._sending) > _MOST_SENDING:
            await asyncio.wait(self._sending, return_when=asyncio.FIRST_COMPLETED)

    def post(self, message: dict[str, Any]) -> None:
        """Sends without waiting: the reader goes on, whatever the peer's pace."""
        self._start(self.send(message))

    def post_frame(self, frame: str | bytes) -> None:
        self._start(self._send_frame(frame))

    def _start(self, sending: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(sending)
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def send(self, message: dict[str, Any], encoding: str | None = None) -> None:
        await self._send_frame(encode_frame(message, encoding or self.encoding))

    async def _send_frame(self, frame: str | bytes) -> None:
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
        """False when the peer has had its chances."""
        self._bad_frames += 1
        await self.send(self.complaint(error, session_id))
        if self._bad_frames <= MOST_BAD_FRAMES:
            return True
        self.sent_away = True
        await self.close(1008, "too many bad messages")
        return False
