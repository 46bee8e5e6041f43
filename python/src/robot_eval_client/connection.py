"""One WebSocket of the policy protocol."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from .errors import BadMessage
from .messages import Message, error_message, read_message
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
