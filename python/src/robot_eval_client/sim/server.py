"""The simulator listens and evaluators dial: one connection, one world."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType

from websockets.sync.server import Server, ServerConnection
from websockets.sync.server import serve as listen

from ..handshake import has_token
from ..listener import health, url_of
from ..settings import DEFAULT_MAX_SIZE, WEBSOCKET_OPTIONS
from .choice import takes_task
from .connection import SimConnection
from .messages import PROTOCOL, VERSION, Connect
from .success import Rule, success_rule
from .visit import Visit
from .world import World

_NOTICED_S = 1.0


class SimServer:
    """A server that can be started and stopped, for tests and for programs that do other things too::

        with SimServer(lambda: gymnasium.make("Pendulum-v1")) as server:   # in a thread of its own
            print(server.url)
    """

    def __init__(
        self,
        make_env: Callable[..., object],
        *,
        port: int = 0,
        host: str = "127.0.0.1",
        token: str | None = None,
        max_sessions: int = 1,
        success: Rule = "info",
        fresh: bool = False,
        max_size: int | None = DEFAULT_MAX_SIZE,
    ) -> None:
        if max_sessions < 1:
            raise ValueError(f"max_sessions is {max_sessions}; it must be a whole number from 1 on")
        success_rule(success)
        self._host = host
        self._asked_port = port
        self._max_size = max_size
        self._server: Server | None = None
        self._thread: threading.Thread | None = None
        make = takes_task(make_env)
        self._new_world: Callable[[], World] = lambda: World(make, max_sessions, success=success, fresh=fresh)
        self._token = token
        self._max_sessions = max_sessions
        # Each connection has a thread of its own.
        self._lock = threading.Lock()
        self._freed = threading.Condition(self._lock)
        self._idle: list[World] = []
        self._worlds: list[World] = []
        self._connections: set[SimConnection] = set()

    @property
    def port(self) -> int:
        if self._server is None:
            raise RuntimeError("the server does not listen yet")
        return int(self._server.socket.getsockname()[1])

    @property
    def url(self) -> str:
        """Where it is reached from this machine."""
        return url_of(self._host, self.port)

    def __enter__(self) -> SimServer:
        self._server = listen(
            self._serve_connection,
            self._host,
            self._asked_port,
            process_request=health,
            max_size=self._max_size,
            **WEBSOCKET_OPTIONS,
        )
        self._thread = threading.Thread(target=self._server.serve_forever, name="robot-eval-listener", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is None or self._thread is None:
            return
        with self._lock:
            connections = list(self._connections)
        for connection in connections:
            connection.close(1001, "the simulator stops")
        self._server.shutdown()
        self._thread.join()
        for world in self._worlds:
            world.stop()
        for world in self._worlds:
            world.join()

    def _serve_connection(self, socket: ServerConnection) -> None:
        connection = SimConnection(socket)
        with self._lock:
            self._connections.add(connection)
        try:
            connect = self._welcome(connection)
            if connect is None:
                return
            world = self._lease()
            if world is None:
                connection.refuse("busy", self._busy_text(), 1013)
                return
            visit = Visit(connection, connect)
            world.receive(visit)
            try:
                visit.stand_by()
            finally:
                with self._lock:
                    self._idle.append(world)
                    self._freed.notify()
        finally:
            with self._lock:
                self._connections.discard(connection)

    def _welcome(self, connection: SimConnection) -> Connect | None:
        connect = connection.greeting()
        if connect is None:
            return None
        if connect.protocol not in (None, PROTOCOL) or VERSION not in (connect.versions or (VERSION,)):
            versions = ", ".join(connect.versions or ())
            text = f"the evaluator speaks {connect.protocol} {versions}, this simulator {PROTOCOL}: update the older"
            connection.refuse("version_mismatch", text, 1002)
            return None
        if not has_token(connect.token, self._token):
            connection.refuse("unauthorized", "this simulator needs the right `token` in connect", 1008)
            return None
        return connect

    def _lease(self) -> World | None:
        with self._lock:
            if not self._idle and len(self._worlds) < self._max_sessions:
                world = self._new_world()
                self._worlds.append(world)
                return world
            # That an evaluator has gone is noticed a moment later where its world is still at work.
            self._freed.wait_for(lambda: self._idle, _NOTICED_S)
            return self._idle.pop() if self._idle else None

    def _busy_text(self) -> str:
        return (
            f"this simulator has {self._max_sessions} world(s), and evaluators are connected to all: "
            "start one process for each, or serve with a larger max_sessions"
        )
