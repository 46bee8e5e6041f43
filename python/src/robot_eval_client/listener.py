"""A WebSocket server that runs in an existing event loop or in its own thread."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from types import TracebackType
from typing import Protocol, TypeVar

from websockets.asyncio.server import Server, ServerConnection
from websockets.asyncio.server import serve as listen
from websockets.http11 import Request, Response

from .settings import WEBSOCKET_OPTIONS

L = TypeVar("L", bound="Listener")


class Listener:
    """Base class; subclasses implement `serve_connection` and `stop`."""

    def __init__(self, host: str, port: int, max_size: int | None) -> None:
        self._host = host
        self._requested_port = port
        self._max_size = max_size
        self._server: Server | None = None
        self._thread: threading.Thread | None = None
        self._stop_thread: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None

    async def serve_connection(self, socket: ServerConnection) -> None:
        raise NotImplementedError

    async def stop(self) -> None:
        raise NotImplementedError

    @property
    def port(self) -> int:
        if self._server is None:
            raise RuntimeError("the server is not listening yet")
        return int(next(iter(self._server.sockets)).getsockname()[1])

    @property
    def url(self) -> str:
        """The server's URL on this machine."""
        return url_of(self._host, self.port)

    async def start(self) -> None:
        self._server = await listen(
            self.serve_connection,
            self._host,
            self._requested_port,
            process_request=health,
            max_size=self._max_size,
            **WEBSOCKET_OPTIONS,
        )

    async def __aenter__(self: L) -> L:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def __enter__(self: L) -> L:
        started: Future[None] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run_in_thread(started)), daemon=True)
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

    async def _run_in_thread(self, started: Future[None]) -> None:
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


def url_of(host: str, port: int) -> str:
    name = "127.0.0.1" if host in ("", "0.0.0.0", "::") else host
    return f"ws://[{name}]:{port}" if ":" in name else f"ws://{name}:{port}"


class _Responds(Protocol):
    def respond(self, status: int, text: str) -> Response: ...


def health(connection: _Responds, request: Request) -> Response | None:
    return connection.respond(200, "OK\n") if request.path == "/healthz" else None
