"""Serves a policy to evaluators that connect to it: the usual setup, with the policy on the machine with the GPU."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any

from websockets.asyncio.server import ServerConnection

from .connection import Connection
from .errors import PolicyDefinitionError
from .handshake import actions_per_reply, agreed_encoding, capabilities_of, refusal_of, sessions_of
from .link import Link
from .listener import Listener
from .messages import Connect, connected_message, disconnect_message
from .options import PolicyOptions, PolicySettings
from .policy import Declaration

if TYPE_CHECKING:
    from typing_extensions import Unpack


class PolicyServer(Listener):
    """A server that can be started and stopped, for tests and for larger programs::

        with PolicyServer(MyPolicy(), port=0) as server:   # in its own thread
            print(server.url)

        async with PolicyServer(MyPolicy(), port=0) as server:   # in the running event loop
            ...

    Unlike `serve` it listens on 127.0.0.1 by default.
    """

    def __init__(
        self,
        policy: object,
        *,
        port: int = 0,
        host: str = "127.0.0.1",
        **options: Unpack[PolicyOptions],
    ) -> None:
        settings = PolicySettings(**options)
        if settings.dialect is not None:
            raise PolicyDefinitionError("PolicyServer serves evaluators of robot-eval; use DialectServer for a dialect")
        super().__init__(host, port, settings.max_size)
        self._token = settings.token
        self._encodings = settings.checked_encodings()
        self._grace = settings.grace
        self._pool = settings.pool_of(policy)
        self.identity: dict[str, Any] = settings.identity_of(self._pool)
        self._links: dict[str, Link] = {}
        self._connections: set[Connection] = set()

    @property
    def declaration(self) -> Declaration:
        return self._pool.declaration

    @property
    def agent(self) -> str:
        """The value of `--agent`."""
        return self.url

    async def stop(self) -> None:
        """Disconnects the evaluators, stops listening and closes the policy."""
        if self._server is None:
            return
        self._server.close(close_connections=False)
        await asyncio.gather(*(self._disconnect(connection) for connection in list(self._connections)))
        await self._server.wait_closed()
        for link in list(self._links.values()):
            self._end(link)
        await asyncio.to_thread(self._pool.close)

    async def _disconnect(self, connection: Connection) -> None:
        await connection.send(disconnect_message(connection.session_id, "the policy server is stopping"))
        await connection.close()

    async def serve_connection(self, socket: ServerConnection) -> None:
        connection = Connection(socket)
        self._connections.add(connection)
        try:
            link = await self._handshake(connection)
            if link is not None:
                await self._run_link(connection, link)
        finally:
            self._connections.discard(connection)

    async def _handshake(self, connection: Connection) -> Link | None:
        connect = await connection.first_message(Connect)
        if connect is None:
            return None
        refusal = refusal_of(connect, self._token)
        if refusal is not None:
            await connection.refuse(refusal.code, refusal.text, refusal.close_code)
            return None
        link = self._resumable(connect)
        resumed = link is not None
        if link is None:
            link = self._new_link(connect)
        if link is None:
            await connection.refuse("busy", self._busy_text(), 1013)
            return None
        former = link.sender
        encoding = agreed_encoding((connect.capabilities or {}).get("encodings"), self._encodings)
        connection.session_id = link.session_id
        capabilities = capabilities_of(self.declaration, [encoding], link.granted)
        token = link.resume_token or ""
        await connection.send(
            connected_message(link.session_id, capabilities, token, resumed, self.identity), "json"
        )
        connection.encoding = encoding
        link.attach(connection)
        if isinstance(former, Connection):
            # Often only one side notices a lost connection: a peer with the resume token replaces the old connection.
            await former.close(1001, "taken over")
        return link

    async def _run_link(self, connection: Connection, link: Link) -> None:
        await connection.run(link)
        if not link.detach(connection):
            return
        if connection.closed_for_errors:
            # A peer that sends invalid frames may not resume, so that others need not wait for it.
            link.ended = True
        if link.ended or connection.closed_normally or not self._grace or not link.can_resume:
            self._end(link)
            # After `disconnect` the peer closes the connection; this is a fallback.
            await connection.close()
            return
        loop = asyncio.get_running_loop()
        link.expire_after(loop.call_later(self._grace, self._end, link))

    def _resumable(self, connect: Connect) -> Link | None:
        if connect.resume is None:
            return None
        link = self._links.get(str(connect.resume.get("session_id")))
        token = connect.resume.get("resume_token")
        if link is None or not isinstance(token, str) or link.resume_token is None:
            return None
        return link if secrets.compare_digest(token.encode(), link.resume_token.encode()) else None

    def _new_link(self, connect: Connect) -> Link | None:
        granted = self._pool.reserve(sessions_of(connect))
        if granted == 0:
            # Drop disconnected links, although they could still resume: a run that was stopped and restarted should
            # not have to wait for the grace period of the first.
            for lost in [link for link in self._links.values() if link.sender is None]:
                self._end(lost)
            granted = self._pool.reserve(sessions_of(connect))
        if granted == 0:
            return None
        link = Link(
            self._pool,
            session_id=secrets.token_hex(8),
            resume_token=secrets.token_urlsafe(24),
            granted=granted,
            max_actions=actions_per_reply(self.declaration, connect),
        )
        # An evaluator that sends no protocol version cannot resume, so nothing is kept for it.
        link.can_resume = connect.protocol_version is not None
        self._links[link.session_id] = link
        return link

    def _end(self, link: Link) -> None:
        if self._links.pop(link.session_id, None) is not None:
            link.close()

    def _busy_text(self) -> str:
        return (
            f"{self.declaration.name} serves {self._pool.capacity} session(s) at a time, and all are in use by another "
            "evaluator; try again later, or serve the class instead of an object"
        )
