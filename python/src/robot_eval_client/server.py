"""The policy listens and evaluators dial: the usual way round, as a policy stands where its GPU is."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence

from websockets.asyncio.server import ServerConnection

from .codec import ENCODINGS, check_encodings
from .connection import Connection
from .handshake import actions_a_reply, agreed_encoding, listener_capabilities, refusal_of, wanted_sessions
from .link import Link
from .listener import Listener
from .messages import Connect, connected_message, disconnect_message
from .policy import Declaration
from .pool import PolicyPool
from .settings import DEFAULT_MAX_SIZE


class PolicyServer(Listener):
    """A server that can be started and stopped, for tests and for programs that do other things too::

        with PolicyServer(MyPolicy(), port=0) as server:   # in a thread of its own
            print(server.url)

        async with PolicyServer(MyPolicy(), port=0) as server:   # in the running event loop
            ...

    Unlike `serve` it listens on this machine alone unless told otherwise.
    """

    def __init__(
        self,
        policy: object,
        *,
        port: int = 0,
        host: str = "127.0.0.1",
        token: str | None = None,
        sessions: int | None = None,
        max_batch: int | None = None,
        encodings: Sequence[str] = ENCODINGS,
        grace: float = 30.0,
        max_size: int | None = DEFAULT_MAX_SIZE,
    ) -> None:
        super().__init__(host, port, max_size)
        self._token = token
        self._encodings = check_encodings(encodings)
        self._grace = grace
        self._pool = PolicyPool(policy, sessions=sessions, max_batch=max_batch)
        self._links: dict[str, Link] = {}
        self._connections: set[Connection] = set()

    @property
    def declaration(self) -> Declaration:
        return self._pool.declaration

    async def stop(self) -> None:
        """Tells the evaluators that connected, closes, and lets the policy close itself."""
        if self._server is None:
            return
        self._server.close(close_connections=False)
        await asyncio.gather(*(self._dismiss(connection) for connection in list(self._connections)))
        await self._server.wait_closed()
        for link in list(self._links.values()):
            self._end(link)
        await asyncio.to_thread(self._pool.close)

    async def _dismiss(self, connection: Connection) -> None:
        await connection.send(disconnect_message(connection.session_id, "the policy's server stops"))
        await connection.close()

    async def serve_connection(self, socket: ServerConnection) -> None:
        connection = Connection(socket)
        self._connections.add(connection)
        try:
            link = await self._welcome(connection)
            if link is not None:
                await self._carry(connection, link)
        finally:
            self._connections.discard(connection)

    async def _welcome(self, connection: Connection) -> Link | None:
        connect = await connection.greeting(Connect)
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
        former = link.carrier
        encoding = agreed_encoding((connect.capabilities or {}).get("encodings"), self._encodings)
        connection.session_id = link.session_id
        capabilities = listener_capabilities(self.declaration, encoding, link.granted)
        token = link.resume_token or ""
        await connection.send(
            connected_message(link.session_id, capabilities, token, resumed, self.declaration.name), "json"
        )
        connection.encoding = encoding
        link.attach(connection)
        if isinstance(former, Connection):
            # A cut is often noticed by one side only: who knows the token takes over.
            await former.close(1001, "taken over")
        return link

    async def _carry(self, connection: Connection, link: Link) -> None:
        await connection.run(link)
        if not link.detach(connection):
            return
        if connection.sent_away:
            # Others need not wait for one that sends nonsense to come back.
            link.ended = True
        if link.ended or connection.ended_orderly or not self._grace or not link.can_resume:
            self._end(link)
            # After `disconnect` the peer closes; this only makes sure of it.
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
        granted = self._pool.reserve(wanted_sessions(connect))
        if granted == 0:
            # One that was cut off might come back, but this one is here: a run that was stopped and started again
            # should not have to wait for the first to be given up.
            for lost in [link for link in self._links.values() if link.carrier is None]:
                self._end(lost)
            granted = self._pool.reserve(wanted_sessions(connect))
        if granted == 0:
            return None
        link = Link(
            self._pool,
            session_id=secrets.token_hex(8),
            resume_token=secrets.token_urlsafe(24),
            granted=granted,
            most_actions=actions_a_reply(self.declaration, connect),
        )
        # An evaluator of the plain kind does not know how to come back: nothing is kept for it.
        link.can_resume = connect.protocol_version is not None
        self._links[link.session_id] = link
        return link

    def _end(self, link: Link) -> None:
        if self._links.pop(link.session_id, None) is not None:
            link.close()

    def _busy_text(self) -> str:
        return (
            f"{self.declaration.name} serves {self._pool.capacity} session(s) at a time and has no room: "
            "another evaluator is connected; try again later, or serve the class in place of an object"
        )
