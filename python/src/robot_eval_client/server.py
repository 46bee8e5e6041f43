"""The policy listens and evaluators dial: the usual way round, as a policy stands where its GPU is."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from types import TracebackType

from websockets.asyncio.server import Server, ServerConnection
from websockets.asyncio.server import serve as listen
from websockets.http11 import Request, Response

from .codec import ENCODINGS, check_encodings
from .connection import DEFAULT_MAX_SIZE, WEBSOCKET_OPTIONS, Connection
from .handshake import actions_a_reply, agreed_encoding, listener_capabilities, refusal_of, wanted_sessions
from .link import Link
from .messages import Connect, connected_message, disconnect_message
from .policy import Declaration
from .pool import PolicyPool

_CONNECT_TIMEOUT_S = 30.0


class PolicyServer:
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
        self._host = host
        self._asked_port = port
        self._token = token
        self._encodings = check_encodings(encodings)
        self._grace = grace
        self._max_size = max_size
        self._pool = PolicyPool(policy, sessions=sessions, max_batch=max_batch)
        self._links: dict[str, Link] = {}
        self._connections: set[Connection] = set()
        self._server: Server | None = None
        self._thread: threading.Thread | None = None
        self._stop_thread: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None

    @property
    def declaration(self) -> Declaration:
        return self._pool.declaration

    @property
    def port(self) -> int:
        if self._server is None:
            raise RuntimeError("the server does not listen yet")
        return int(next(iter(self._server.sockets)).getsockname()[1])

    @property
    def url(self) -> str:
        """Where it is reached from this machine."""
        host = "127.0.0.1" if self._host in ("", "0.0.0.0", "::") else self._host
        return f"ws://[{host}]:{self.port}" if ":" in host else f"ws://{host}:{self.port}"

    async def start(self) -> None:
        self._server = await listen(
            self._serve_connection,
            self._host,
            self._asked_port,
            process_request=_health,
            max_size=self._max_size,
            **WEBSOCKET_OPTIONS,
        )

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

    async def _serve_connection(self, socket: ServerConnection) -> None:
        connection = Connection(socket)
        self._connections.add(connection)
        try:
            link = await self._welcome(connection)
            if link is not None:
                await self._carry(connection, link)
        finally:
            self._connections.discard(connection)

    async def _welcome(self, connection: Connection) -> Link | None:
        try:
            connect = await asyncio.wait_for(_read_connect(connection), _CONNECT_TIMEOUT_S)
        except asyncio.TimeoutError:
            await connection.refuse("connect_timeout", f"no connect within {_CONNECT_TIMEOUT_S:.0f} s", 1008)
            return None
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

    async def __aenter__(self) -> PolicyServer:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def __enter__(self) -> PolicyServer:
        started: Future[None] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._live(started)), daemon=True)
        self._thread.start()
        started.result()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stop_thread is not None:
            loop, stop = self._stop_thread
            loop.call_soon_threadsafe(stop.set)
        if self._thread is not None:
            self._thread.join()

    async def _live(self, started: Future[None]) -> None:
        stop = asyncio.Event()
        try:
            await self.start()
        except BaseException as error:
            started.set_exception(error)
            return
        self._stop_thread = (asyncio.get_running_loop(), stop)
        started.set_result(None)
        await stop.wait()
        await self.stop()


async def _read_connect(connection: Connection) -> Connect | None:
    while True:
        message = await connection.receive()
        if message is None or isinstance(message, Connect):
            return message
        if not await connection.reject_early(message):
            return None


def _health(connection: ServerConnection, request: Request) -> Response | None:
    return connection.respond(200, "OK\n") if request.path == "/healthz" else None
