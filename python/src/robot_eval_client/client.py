"""The evaluator listens and the policy dials: for a policy behind a firewall, or a challenge's server."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

from websockets.asyncio.client import connect as dial
from websockets.exceptions import InvalidHandshake, InvalidStatus, InvalidURI

from .codec import ENCODINGS, check_encodings
from .connection import Connection
from .errors import EvaluatorError, PolicyDefinitionError
from .handshake import actions_a_reply, agreed_encoding, dialler_capabilities, same_major, sessions_of
from .link import Link
from .messages import Connected, PeerError, connect_message, disconnect_message
from .pool import PolicyPool
from .settings import DEFAULT_MAX_SIZE, WEBSOCKET_OPTIONS
from .signals import run_until_signal
from .version import PROTOCOL_VERSION

_log = logging.getLogger("robot_eval_client")

_FIRST_WAIT_S = 0.1
_LONGEST_WAIT_S = 2.0
_CONNECT_TIMEOUT_S = 30.0

#: What another attempt would not change.
_REFUSALS = (
    "unauthorized",
    "version_mismatch",
    "wrong_role",
    "missing_sensor",
    "convention_mismatch",
    "busy",
)


class _Dialler:
    def __init__(self, pool: PolicyPool, url: str, token: str | None, encodings: tuple[str, ...], grace: float) -> None:
        self._pool = pool
        self._url = url
        self._token = token
        self._encodings = encodings
        self._grace = grace
        self._link: Link | None = None

    async def run(self, max_size: int | None) -> None:
        """Until the evaluator says that it is done. After a cut it dials again and takes up what it had."""
        try:
            while not await self._one_connection(max_size):
                _log.warning("the connection to %s is over; dialling again for %g s", self._url, self._grace)
        finally:
            self._drop_link()

    async def _one_connection(self, max_size: int | None) -> bool:
        """True when all is done."""
        async with self._dial(max_size) as connection:
            link = await self._introduce(connection)
            if link is None:
                return False
            try:
                await connection.run(link)
            except asyncio.CancelledError:
                await connection.send(disconnect_message(link.session_id, "the policy stops"))
                raise
            link.detach(connection)
            if link.fatal is None:
                return link.ended or connection.ended_orderly
            if link.fatal.code in _REFUSALS:
                raise EvaluatorError(link.fatal.code, link.fatal.message)
            # Only this session is over, as after an action that took too long: the next episode comes over a new one.
            self._drop_link()
            return False

    @contextlib.asynccontextmanager
    async def _dial(self, max_size: int | None) -> AsyncIterator[Connection]:
        deadline = time.monotonic() + self._grace
        wait = _FIRST_WAIT_S
        told = False
        while True:
            try:
                socket = await dial(self._url, max_size=max_size, open_timeout=_CONNECT_TIMEOUT_S, **WEBSOCKET_OPTIONS)
                break
            except InvalidURI as error:
                raise PolicyDefinitionError(f"{self._url!r} is no WebSocket address such as ws://host:8000") from error
            except (OSError, EOFError, InvalidHandshake, asyncio.TimeoutError) as error:
                refused = isinstance(error, InvalidStatus) and error.response.status_code < 500
                if refused or time.monotonic() + wait > deadline:
                    raise ConnectionError(f"no evaluator at {self._url}: {error}") from error
                if not told:
                    _log.warning("no evaluator at %s yet (%s); trying for %g s", self._url, error, self._grace)
                    told = True
            await asyncio.sleep(wait)
            wait = min(wait * 2, _LONGEST_WAIT_S)
        connection = Connection(socket)
        try:
            yield connection
        finally:
            await connection.close()

    async def _introduce(self, connection: Connection) -> Link | None:
        """None when the connection is cut before it is answered."""
        declaration = self._pool.declaration
        capabilities = dialler_capabilities(declaration, self._encodings, self._pool.capacity)
        await connection.send(connect_message(capabilities, self._token, self._resume(), declaration.name), "json")
        try:
            connected = await asyncio.wait_for(_read_connected(connection), _CONNECT_TIMEOUT_S)
        except asyncio.TimeoutError as error:
            raise ConnectionError(f"{self._url} took the connection and does not answer `connect`") from error
        if connected is None:
            return None
        if not same_major(connected.protocol_version):
            raise EvaluatorError(
                "version_mismatch",
                f"the evaluator speaks protocol {connected.protocol_version}, this package {PROTOCOL_VERSION}",
            )
        link = self._link
        if link is None or not connected.resumed or connected.session_id != link.session_id:
            if link is not None:
                _log.warning("the evaluator has given up the episodes that ran when the connection was lost")
            link = self._new_link(connected)
        link.resume_token = connected.resume_token or link.resume_token
        connection.session_id = link.session_id
        connection.encoding = agreed_encoding((connected.capabilities or {}).get("encodings"), self._encodings)
        link.attach(connection)
        return link

    def _resume(self) -> dict[str, Any] | None:
        link = self._link
        if link is None or link.resume_token is None:
            return None
        # -1: nothing was asked yet.
        last_seq = -1 if link.last_seq is None else link.last_seq
        return {"session_id": link.session_id, "last_seq": last_seq, "resume_token": link.resume_token}

    def _new_link(self, connected: Connected) -> Link:
        self._drop_link()
        granted = self._pool.reserve(sessions_of(connected))
        most = actions_a_reply(self._pool.declaration, connected)
        self._link = Link(self._pool, connected.session_id, connected.resume_token, granted, most)
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
            _log.warning("the evaluator says: %s: %s", message.code, message.message)
        elif not await connection.reject_early(message):
            return None


async def connect_async(
    policy: object,
    url: str,
    *,
    token: str | None = None,
    sessions: int | None = None,
    max_batch: int | None = None,
    encodings: Sequence[str] = ENCODINGS,
    grace: float = 30.0,
    max_size: int | None = DEFAULT_MAX_SIZE,
) -> None:
    """`connect` in a running event loop; cancel it to stop."""
    pool = PolicyPool(policy, sessions=sessions, max_batch=max_batch)
    try:
        await _Dialler(pool, url, token, check_encodings(encodings), grace).run(max_size)
    finally:
        await asyncio.to_thread(pool.close)


def connect(
    policy: object,
    url: str,
    *,
    token: str | None = None,
    sessions: int | None = None,
    max_batch: int | None = None,
    encodings: Sequence[str] = ENCODINGS,
    grace: float = 30.0,
    max_size: int | None = DEFAULT_MAX_SIZE,
) -> None:
    """Dials an evaluator that listens, and serves it until it is done, or until Ctrl-C or SIGTERM.

    `grace` is how many seconds it tries to reach the evaluator, at first and after a cut. The other options are those
    of `serve`. Raises `EvaluatorError` when the evaluator refuses the policy, `ConnectionError` when none is there.
    """
    run_until_signal(
        lambda: connect_async(
            policy,
            url,
            token=token,
            sessions=sessions,
            max_batch=max_batch,
            encodings=encodings,
            grace=grace,
            max_size=max_size,
        )
    )
