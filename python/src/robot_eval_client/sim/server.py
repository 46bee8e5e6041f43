"""The simulator listens and evaluators dial: one connection, one world."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from websockets.asyncio.server import ServerConnection

from ..errors import BadMessage
from ..handshake import has_token
from ..listener import Listener
from ..messages import Heartbeat, PeerError, heartbeat_message
from ..wire import DEFAULT_MAX_SIZE
from .choice import takes_task
from .connection import SimConnection
from .messages import PROTOCOL, VERSION, Close, Connect
from .success import Rule, success_rule
from .world import World

_log = logging.getLogger("robot_eval_client")

# An evaluator waits for its answer before it asks again. More than this is a flood.
_MOST_UNANSWERED = 4


class SimServer(Listener):
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
        super().__init__(host, port, max_size)
        success_rule(success)
        make = takes_task(make_env)
        self._new_world: Callable[[], World] = lambda: World(make, max_sessions, success=success, fresh=fresh)
        self._token = token
        self._max_sessions = max_sessions
        self._idle: list[World] = []
        self._worlds: list[World] = []
        self._connections: set[SimConnection] = set()

    async def stop(self) -> None:
        if self._server is None:
            return
        self._server.close(close_connections=False)
        await asyncio.gather(*(connection.close(1001, "the simulator stops") for connection in list(self._connections)))
        await self._server.wait_closed()
        for world in self._worlds:
            world.stop()
        for world in self._worlds:
            await asyncio.to_thread(world.join)

    async def serve_connection(self, socket: ServerConnection) -> None:
        connection = SimConnection(socket)
        self._connections.add(connection)
        try:
            connect = await self._welcome(connection)
            if connect is None:
                return
            world = self._lease()
            if world is None:
                await connection.refuse("busy", self._busy_text(), 1013)
                return
            try:
                await self._carry(connection, world, connect)
            finally:
                self._idle.append(world)
        finally:
            self._connections.discard(connection)

    async def _welcome(self, connection: SimConnection) -> Connect | None:
        connect = await connection.greeting(Connect)
        if connect is None:
            return None
        if connect.protocol not in (None, PROTOCOL) or VERSION not in (connect.versions or (VERSION,)):
            versions = ", ".join(connect.versions or ())
            text = f"the evaluator speaks {connect.protocol} {versions}, this simulator {PROTOCOL}: update the older"
            await connection.refuse("version_mismatch", text, 1002)
            return None
        if not has_token(connect.token, self._token):
            await connection.refuse("unauthorized", "this simulator needs the right `token` in connect", 1008)
            return None
        return connect

    async def _carry(self, connection: SimConnection, world: World, connect: Connect) -> None:
        connection.unanswered += 1
        world.ask(connect, connection.reply)
        while True:
            await connection.wait_for_room()
            message = await connection.receive()
            if message is None:
                return
            if isinstance(message, Heartbeat):
                if not message.is_answer:
                    connection.post(heartbeat_message("", message.t))
            elif isinstance(message, PeerError):
                _log.warning("the evaluator says: %s: %s", message.code, message.message)
                if message.fatal:
                    return
            elif isinstance(message, Close):
                await connection.send({"type": "closed"} | ({} if message.seq is None else {"seq": message.seq}))
                await connection.close()
                return
            elif isinstance(message, Connect):
                await connection.reject(BadMessage("connect comes once, at the beginning", "unexpected_message"))
            elif connection.unanswered >= _MOST_UNANSWERED:
                text = f"{connection.unanswered} requests wait for their answers"
                await connection.reject(BadMessage(text, "too_many_requests", message.seq))
            else:
                connection.unanswered += 1
                world.ask(message, connection.reply)

    def _lease(self) -> World | None:
        if self._idle:
            return self._idle.pop()
        if len(self._worlds) >= self._max_sessions:
            return None
        world = self._new_world()
        self._worlds.append(world)
        return world

    def _busy_text(self) -> str:
        return (
            f"this simulator has {self._max_sessions} world(s), and evaluators are connected to all: "
            "start one process for each, or serve with a larger max_sessions"
        )
