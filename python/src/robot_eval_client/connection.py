"""One WebSocket of the policy protocol."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from .errors import BadMessage
from .messages import Heartbeat, Message, PeerError, error_message, heartbeat_message, read_message
from .wire import Wire

if TYPE_CHECKING:
    from websockets.asyncio.connection import Connection as WebSocket

    from .link import Link

_log = logging.getLogger("robot_eval_client")


class Connection(Wire[Message]):
    def __init__(self, socket: WebSocket) -> None:
        super().__init__(socket)
        self.session_id = ""

    def read(self, raw: dict[Any, Any]) -> Message:
        return read_message(raw)

    def complaint(self, error: BadMessage, session_id: str) -> dict[str, Any]:
        return error_message(session_id or self.session_id, error.code, str(error), re_seq=error.re_seq)

    async def run(self, link: Link) -> None:
        """Passes messages to the link until the connection ends or the link does."""
        while not link.ended:
            await self.wait_for_room()
            message = await self.receive()
            if message is None:
                return
            try:
                link.handle(message)
            except BadMessage as error:
                if not await self.reject(error, getattr(message, "session_id", "")):
                    return
            except Exception as error:
                _log.exception("a message could not be handled")
                self.post(error_message(self.session_id, "internal_error", f"{type(error).__name__}: {error}"))

    async def refuse(self, code: str, text: str, close_code: int) -> None:
        """Says why, and closes."""
        await self.send(error_message(self.session_id, code, text, fatal=True), "json")
        await self.close(close_code, code)

    async def reject_early(self, message: Message) -> bool:
        """Answers a message that came before the handshake was over; an error is never answered with an error."""
        if isinstance(message, PeerError):
            return not message.fatal
        if isinstance(message, Heartbeat):
            if not message.is_answer:
                await self.send(heartbeat_message(message.session_id, message.t))
            return True
        return await self.reject(BadMessage("the first message is `connect`, and its answer", "unexpected_message"))
