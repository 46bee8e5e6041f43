"""Connects a policy to a listening evaluator: for a policy behind a firewall, or for a challenge server."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import InvalidHandshake, InvalidStatus, InvalidURI

from .connection import Connection
from .errors import EvaluatorError, PolicyDefinitionError
from .handshake import actions_per_reply, agreed_encoding, capabilities_of, same_major, sessions_of
from .link import Link
from .messages import Connected, PeerError, connect_message, disconnect_message
from .options import PolicyOptions, PolicySettings
from .pool import PolicyPool
from .settings import WEBSOCKET_OPTIONS
from .signals import run_until_signal
from .summary import EndedEpisodes, EvaluationSummary
from .version import PROTOCOL_VERSION

if TYPE_CHECKING:
    from typing_extensions import Unpack

_log = logging.getLogger("robot_eval_client")

_FIRST_WAIT_S = 0.1
_LONGEST_WAIT_S = 2.0
_CONNECT_TIMEOUT_S = 30.0

#: Errors that another attempt would not fix.
_REFUSALS = (
    "unauthorized",
    "version_mismatch",
    "wrong_role",
    "missing_sensor",
    "convention_mismatch",
    "busy",
)


class _PolicyClient:
    def __init__(self, pool: PolicyPool, url: str, settings: PolicySettings) -> None:
        self._pool = pool
        self._identity = settings.identity_of(pool)
        self._url = url
        self._token = settings.token
        self._encodings = settings.checked_encodings()
        self._grace = settings.grace
        self._max_size = settings.max_size
        self._link: Link | None = None
        self._episodes = EndedEpisodes()

    async def run(self) -> EvaluationSummary:
        """Serves the evaluator until it is done. After a lost connection it reconnects and resumes its sessions."""
        try:
            while not await self._one_connection():
                _log.warning("lost the connection to %s; reconnecting for up to %g s", self._url, self._grace)
        finally:
            self._drop_link()
        return self._episodes.summary(self._url)

    async def _one_connection(self) -> bool:
        """True when the evaluator is done."""
        async with self._open() as connection:
            link = await self._handshake(connection)
            if link is None:
                return False
            try:
                await connection.run(link)
            except asyncio.CancelledError:
                await connection.send(disconnect_message(link.session_id, "the policy is stopping"))
                raise
            link.detach(connection)
            if link.fatal is None:
                return link.ended or connection.closed_normally
            if link.fatal.code in _REFUSALS:
                raise EvaluatorError(link.fatal.code, link.fatal.message)
            # Only this session is over, for example after an action timeout. The next episode uses a new one.
            self._drop_link()
            return False

    @contextlib.asynccontextmanager
    async def _open(self) -> AsyncIterator[Connection]:
        deadline = time.monotonic() + self._grace
        wait = _FIRST_WAIT_S
        warned = False
        while True:
            try:
                socket = await open_socket(
                    self._url, max_size=self._max_size, open_timeout=_CONNECT_TIMEOUT_S, **WEBSOCKET_OPTIONS
                )
                break
            except InvalidURI as error:
                raise PolicyDefinitionError(f"{self._url!r} is not a WebSocket URL; use one such as ws://host:8000") from error
            except (OSError, EOFError, InvalidHandshake, asyncio.TimeoutError) as error:
                refused = isinstance(error, InvalidStatus) and error.response.status_code < 500
                if refused or time.monotonic() + wait > deadline:
                    raise ConnectionError(f"no evaluator at {self._url}: {error}") from error
                if not warned:
                    _log.warning("no evaluator at %s yet (%s); retrying for up to %g s", self._url, error, self._grace)
                    warned = True
            await asyncio.sleep(wait)
            wait = min(wait * 2, _LONGEST_WAIT_S)
        connection = Connection(socket)
        try:
            yield connection
        finally:
            await connection.close()

    async def _handshake(self, connection: Connection) -> Link | None:
        """None when the connection is lost before the evaluator answers."""
        declaration = self._pool.declaration
        capabilities = capabilities_of(declaration, self._encodings, self._pool.capacity)
        await connection.send(connect_message(capabilities, self._token, self._resume(), self._identity), "json")
        try:
            connected = await asyncio.wait_for(_read_connected(connection), _CONNECT_TIMEOUT_S)
        except asyncio.TimeoutError as error:
            raise ConnectionError(
                f"{self._url} accepted the connection but did not answer `connect` within {_CONNECT_TIMEOUT_S:.0f} s"
            ) from error
        if connected is None:
            return None
        if not same_major(connected.protocol_version):
            raise EvaluatorError(
                "version_mismatch",
                f"the evaluator uses protocol {connected.protocol_version}, this package {PROTOCOL_VERSION}: "
                "update the older of the two",
            )
        link = self._link
        if link is None or not connected.resumed or connected.session_id != link.session_id:
            if link is not None:
                _log.warning("the evaluator has dropped the episodes that were running when the connection was lost")
            link = self._new_link(connected)
        self._episodes.evaluator = connected.server
        link.resume_token = connected.resume_token or link.resume_token
        connection.session_id = link.session_id
        connection.encoding = agreed_encoding((connected.capabilities or {}).get("encodings"), self._encodings)
        link.attach(connection)
        return link

    def _resume(self) -> dict[str, Any] | None:
        link = self._link
        if link is None or link.resume_token is None:
            return None
        # -1: no request was received yet.
        last_seq = -1 if link.last_seq is None else link.last_seq
        return {"session_id": link.session_id, "last_seq": last_seq, "resume_token": link.resume_token}

    def _new_link(self, connected: Connected) -> Link:
        self._drop_link()
        granted = self._pool.reserve(sessions_of(connected))
        most = actions_per_reply(self._pool.declaration, connected)
        self._link = Link(self._pool, connected.session_id, connected.resume_token, granted, most)
        self._link.ended_episodes = self._episodes
        return self._link

    def _drop_link(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None


async def _read_connected(connection: Connection) -> Connected | None:
    while True:
        message = await connection.receive()
        if message is None or isinstance(message, Connected):
            return message
        if isinstance(message, PeerError):
            if message.fatal:
                raise EvaluatorError(message.code, message.message)
            _log.warning("error from the evaluator: %s: %s", message.code, message.message)
        elif not await connection.reject_early(message):
            return None


async def connect_async(policy: object, url: str, **options: Unpack[PolicyOptions]) -> EvaluationSummary:
    """`connect` in a running event loop; cancel it to stop."""
    settings = PolicySettings(**options)
    if settings.dialect is not None:
        raise PolicyDefinitionError("connect() has no dialects: clients of other projects connect to a served policy")
    pool = settings.pool_of(policy)
    try:
        return await _PolicyClient(pool, url, settings).run()
    finally:
        await asyncio.to_thread(pool.close)


def connect(policy: object, url: str, **options: Unpack[PolicyOptions]) -> EvaluationSummary | None:
    """Connects to a listening evaluator and serves it until it is done, or until Ctrl-C or SIGTERM.

    `grace` is how many seconds to try to reach the evaluator, at the start and after a lost connection. The other
    options are those of `serve`. Raises `EvaluatorError` if the evaluator rejects the policy and `ConnectionError` if
    none answers. Prints a summary at the end and returns it; None after Ctrl-C or SIGTERM.
    """
    summaries: list[EvaluationSummary] = []

    async def serve() -> None:
        summaries.append(await connect_async(policy, url, **options))

    run_until_signal(serve)
    if not summaries:
        return None
    print(f"the evaluator is done: {summaries[0]}", flush=True)
    return summaries[0]
