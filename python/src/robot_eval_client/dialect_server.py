"""Serves a policy to the clients of openpi, BEHAVIOR or RoboArena, as their own servers do."""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
import traceback
from typing import TYPE_CHECKING, Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from .codec_msgpack import decode_msgpack, encode_msgpack
from .dialects import DIALECTS, Timing
from .episode import Episode
from .errors import BadMessage, PolicyDefinitionError
from .listener import Listener
from .observation import Observation
from .options import PolicyOptions, PolicySettings
from .worker import Outcome, PolicyWorker

if TYPE_CHECKING:
    from typing_extensions import Unpack

_FAILED = "Internal server error. Traceback included in previous frame."


class DialectServer(Listener):
    """A server like `PolicyServer`, for the clients of another project::

        with DialectServer(MyPolicy(), dialect="openpi") as server:
            print(server.url)

    Dialects have no sessions, so each connection is one. One object acts for all clients, one call at a time; pass a
    class for an object per client. The observation is the map that the client sent, and `act` returns vectors.
    """

    def __init__(
        self, policy: object, *, port: int = 0, host: str = "127.0.0.1", **options: Unpack[PolicyOptions]
    ) -> None:
        settings = PolicySettings(**options)
        super().__init__(host, port, settings.max_size)
        if settings.dialect is None or settings.dialect not in DIALECTS:
            raise PolicyDefinitionError(f"dialect is {settings.dialect!r}; valid are {', '.join(DIALECTS)}")
        self.dialect: str = settings.dialect
        self._dialect = DIALECTS[settings.dialect]
        self._token = settings.token
        self._pool = settings.pool_of(policy)
        names = {"name": settings.name, "version": settings.version, "checkpoint": settings.checkpoint}
        known = {key: value for key, value in names.items() if value is not None}
        self._metadata = {**self._dialect.metadata, **({} if self._dialect.metadata else known), **(settings.metadata or {})}
        self.identity: dict[str, Any] = {"name": settings.name or self._pool.declaration.name}

    @property
    def agent(self) -> str:
        """The value of `--agent`."""
        return f"{self.dialect}+{self.url}"

    async def stop(self) -> None:
        """Closes the connections, stops listening and closes the policy."""
        if self._server is None:
            return
        self._server.close()
        await self._server.wait_closed()
        await asyncio.to_thread(self._pool.close)

    async def serve_connection(self, socket: ServerConnection) -> None:
        if not self._may_enter(socket):
            await socket.close(1008, "the header Authorization: Api-Key is missing or wrong")
            return
        if self._pool.reserve(1) == 0:
            await socket.close(1013, f"busy: all {self._pool.capacity} sessions are in use")
            return
        client = _Client(socket, self)
        try:
            await socket.send(encode_msgpack(self._metadata))
            async for frame in socket:
                await client.answer(frame)
        except ConnectionClosed:
            pass
        finally:
            client.leave()
            self._pool.release(1)

    def _may_enter(self, socket: ServerConnection) -> bool:
        if self._token is None:
            return True
        sent = "" if socket.request is None else socket.request.headers.get("Authorization", "")
        return hmac.compare_digest(sent.encode(), f"Api-Key {self._token}".encode())


class _Client:
    def __init__(self, socket: ServerConnection, server: DialectServer) -> None:
        self._socket = socket
        self._dialect = server._dialect
        self._name = server.dialect
        self._pool = server._pool
        self._session_id = secrets.token_hex(8)
        self._worker: PolicyWorker | None = None
        self._episode: Episode | None = None
        self._episodes = 0
        self._step = 0
        self._last_total_ms: float | None = None

    async def answer(self, frame: bytes | str) -> None:
        try:
            await self._answer(frame)
        except ConnectionClosed:
            raise
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError):
                raise
            # As openpi's server: the traceback as text, then the end of the connection.
            await self._socket.send("".join(traceback.format_exception(error)))
            await self._socket.close(1011, _FAILED)

    def leave(self) -> None:
        if self._worker is not None:
            self._worker.forget(self)
            self._pool.give_back(self._worker)

    async def _answer(self, frame: bytes | str) -> None:
        begin = time.perf_counter()
        request = decode_msgpack(frame) if isinstance(frame, bytes) else frame
        if not isinstance(request, dict):
            raise BadMessage(f"a request must be a MessagePack map, got {type(request).__name__}")
        fields = {key: value for key, value in request.items() if key not in self._dialect.own_keys}
        if self._dialect.is_reset(request):
            await self._reset(fields)
            if self._dialect.reset_answer is not None:
                await self._socket.send(self._dialect.reset_answer)
            return
        # Clients that never send a reset have one episode per connection.
        if self._worker is None or self._episode is None:
            await self._reset({"instruction": fields.get("prompt")})
        worker, episode = self._worker, self._episode
        assert worker is not None and episode is not None
        observation = Observation(
            fields, step=self._step, task_type=self._name, episode=episode, session_id=self._session_id
        )
        self._step += 1
        outcome = await self._wait(lambda done: worker.act(self, observation, done))
        timing = Timing(outcome.infer_ms, self._last_total_ms)
        await self._socket.send(encode_msgpack(self._dialect.reply(outcome.value, timing)))
        self._last_total_ms = (time.perf_counter() - begin) * 1000

    async def _reset(self, fields: dict[str, Any]) -> None:
        worker = self._worker = self._worker or self._pool.lease()
        identity = {"episode_id": f"{self._session_id}/{self._episodes}", "task_type": self._name}
        episode = Episode({**fields, **identity}, self._session_id)
        self._episodes += 1
        self._episode = episode
        self._step = 0
        await self._wait(lambda done: worker.reset(self, episode, done))

    async def _wait(self, start: Any) -> Outcome:
        """Awaits a call in the policy's thread. Raises the policy's exception."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Outcome] = loop.create_future()

        def deliver(outcome: Outcome) -> None:
            if not future.done():
                future.set_result(outcome)

        start(lambda outcome: loop.call_soon_threadsafe(deliver, outcome))
        outcome = await future
        if outcome.error is not None:
            raise outcome.error
        return outcome
