"""Serves a simulator to evaluators that connect to it, with one environment per connection."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType
from typing import TypedDict

from websockets.sync.server import Server, ServerConnection
from websockets.sync.server import serve as listen

from ..handshake import has_token
from ..listener import health, url_of
from ..settings import DEFAULT_MAX_SIZE, WEBSOCKET_OPTIONS
from .choice import with_task_argument
from .connection import SimConnection
from .messages import PROTOCOL, VERSION, Connect
from .success import Rule, success_rule
from .session import SimSession
from .env_worker import EnvWorker

_LEASE_TIMEOUT_S = 1.0


class SimOptions(TypedDict, total=False):
    """The options that `serve_env` passes on, for editors and type checkers; `serve_env` describes them."""

    token: str | None
    max_sessions: int
    success: Rule
    fresh: bool
    max_size: int | None


class SimServer:
    """A server that can be started and stopped, for tests and for larger programs::

        with SimServer(lambda: gymnasium.make("Pendulum-v1")) as server:   # in its own thread
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
            raise ValueError(f"max_sessions is {max_sessions}; it must be a whole number, 1 or greater")
        success_rule(success)
        self._host = host
        self._requested_port = port
        self._max_size = max_size
        self._server: Server | None = None
        self._thread: threading.Thread | None = None
        make = with_task_argument(make_env)
        self._new_worker: Callable[[], EnvWorker] = lambda: EnvWorker(make, max_sessions, success=success, fresh=fresh)
        self._token = token
        self._max_sessions = max_sessions
        # Each connection has its own thread.
        self._lock = threading.Lock()
        self._freed = threading.Condition(self._lock)
        self._idle: list[EnvWorker] = []
        self._workers: list[EnvWorker] = []
        self._connections: set[SimConnection] = set()

    @property
    def port(self) -> int:
        if self._server is None:
            raise RuntimeError("the server is not listening yet")
        return int(self._server.socket.getsockname()[1])

    @property
    def url(self) -> str:
        """The server's URL on this machine."""
        return url_of(self._host, self.port)

    def __enter__(self) -> SimServer:
        self._server = listen(
            self._serve_connection,
            self._host,
            self._requested_port,
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
            connection.close(1001, "the simulator is stopping")
        self._server.shutdown()
        self._thread.join()
        for worker in self._workers:
            worker.stop()
        for worker in self._workers:
            worker.join()

    def _serve_connection(self, socket: ServerConnection) -> None:
        connection = SimConnection(socket)
        with self._lock:
            self._connections.add(connection)
        try:
            connect = self._handshake(connection)
            if connect is None:
                return
            worker = self._lease()
            if worker is None:
                connection.refuse("busy", self._busy_text(), 1013)
                return
            session = SimSession(connection, connect)
            worker.serve(session)
            try:
                session.wait_until_over()
            finally:
                with self._lock:
                    self._idle.append(worker)
                    self._freed.notify()
        finally:
            with self._lock:
                self._connections.discard(connection)

    def _handshake(self, connection: SimConnection) -> Connect | None:
        connect = connection.first_message()
        if connect is None:
            return None
        if connect.protocol not in (None, PROTOCOL) or VERSION not in (connect.versions or (VERSION,)):
            versions = ", ".join(connect.versions or ())
            text = (
                f"the evaluator uses {connect.protocol} {versions}, this simulator {PROTOCOL}: "
                "update the older of the two"
            )
            connection.refuse("version_mismatch", text, 1002)
            return None
        if not has_token(connect.token, self._token):
            connection.refuse("unauthorized", "`token` in connect is missing or wrong", 1008)
            return None
        return connect

    def _lease(self) -> EnvWorker | None:
        with self._lock:
            if not self._idle and len(self._workers) < self._max_sessions:
                worker = self._new_worker()
                self._workers.append(worker)
                return worker
            # A disconnect is noticed late if the environment is still computing, so wait for a moment.
            self._freed.wait_for(lambda: self._idle, _LEASE_TIMEOUT_S)
            return self._idle.pop() if self._idle else None

    def _busy_text(self) -> str:
        return (
            f"this simulator serves {self._max_sessions} session(s) at a time, and all are in use: "
            "start one process per evaluator, or serve with a larger max_sessions"
        )
