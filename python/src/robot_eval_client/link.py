"""What two sides have agreed, and the sessions under it. It outlives the connection that carries it."""

from __future__ import annotations

import asyncio
import logging
import re
from typing import Any, Protocol

from .errors import BadMessage
from .messages import Disconnect, EpisodeEnd, GetAction, Heartbeat, Message, PeerError, ResetEpisode, heartbeat_message
from .pool import PolicyPool
from .session import Session

_log = logging.getLogger("robot_eval_client")


class Carrier(Protocol):
    """A connection, as far as a link needs it."""

    def post(self, message: dict[str, Any]) -> None: ...


class Link:
    def __init__(
        self, pool: PolicyPool, session_id: str, resume_token: str | None, granted: int, most_actions: int
    ) -> None:
        self.session_id = session_id
        self.resume_token = resume_token
        self.granted = granted
        self.last_seq: int | None = None
        #: Set when the evaluator said that it is done, or that it cannot go on.
        self.ended = False
        self.fatal: PeerError | None = None
        #: Whether the evaluator knows how to take the link up again after a cut.
        self.can_resume = True
        self._pool = pool
        self._most_actions = most_actions
        self._sessions: dict[str, Session] = {}
        self._carrier: Carrier | None = None
        self._id_pattern = re.compile(re.escape(session_id) + r"(/\d{1,9})?")
        self._expiry: asyncio.TimerHandle | None = None

    @property
    def carrier(self) -> Carrier | None:
        return self._carrier

    def attach(self, carrier: Carrier) -> None:
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None
        self._carrier = carrier

    def detach(self, carrier: Carrier) -> bool:
        """False when another connection has taken over already."""
        if self._carrier is not carrier:
            return False
        self._carrier = None
        return True

    def expire_after(self, handle: asyncio.TimerHandle) -> None:
        self._expiry = handle

    def close(self) -> None:
        if self._expiry is not None:
            self._expiry.cancel()
        for session in self._sessions.values():
            session.close()
            self._pool.give_back(session.worker)
        self._sessions.clear()
        self._pool.release(self.granted)
        self.granted = 0
        self._carrier = None

    def handle(self, message: Message) -> None:
        if isinstance(message, GetAction):
            self._note(message.seq)
            self._session(message.session_id, message.seq).act(message)
        elif isinstance(message, ResetEpisode):
            self._note(message.seq)
            self._session_for_reset(message.session_id, message.seq).reset(message)
        elif isinstance(message, EpisodeEnd):
            session = self._sessions.get(message.session_id or self.session_id)
            if session is not None:
                session.end()
        elif isinstance(message, Heartbeat):
            if not message.is_answer:
                self._send(heartbeat_message(message.session_id or self.session_id, message.t))
        elif isinstance(message, PeerError):
            self._on_error(message)
        elif isinstance(message, Disconnect):
            self.ended = True
        else:
            raise BadMessage("connect and connected come once, at the beginning", "unexpected_message")

    def _send(self, message: dict[str, Any]) -> None:
        # Without a connection nothing is lost: an answer is kept and sent when it is asked for again.
        if self._carrier is not None:
            self._carrier.post(message)

    def _note(self, seq: int | None) -> None:
        if seq is not None:
            self.last_seq = seq if self.last_seq is None else max(seq, self.last_seq)

    def _session(self, named: str, seq: int | None) -> Session:
        session_id = named or self.session_id
        session = self._sessions.get(session_id)
        if session is not None:
            return session
        if self._id_pattern.fullmatch(session_id):
            raise BadMessage("get_action without an episode: send reset_episode first", "no_episode", seq)
        raise self._unknown(session_id, seq)

    def _session_for_reset(self, named: str, seq: int | None) -> Session:
        session_id = named or self.session_id
        session = self._sessions.get(session_id)
        if session is not None:
            return session
        if not self._id_pattern.fullmatch(session_id):
            raise self._unknown(session_id, seq)
        if len(self._sessions) >= self.granted:
            raise BadMessage(f"{self.granted} sessions were agreed, and all are in use", "too_many_sessions", seq)
        session = Session(session_id, self._pool.lease(), self._most_actions, self._send)
        self._sessions[session_id] = session
        return session

    def _unknown(self, session_id: str, seq: int | None) -> BadMessage:
        return BadMessage(
            f"no session {session_id[:80]!r} here; this connection's are {self.session_id!r} and {self.session_id + '/1'!r} on",
            "unknown_session",
            seq,
        )

    def _on_error(self, error: PeerError) -> None:
        if error.fatal:
            _log.error("the evaluator cannot go on with this policy: %s: %s", error.code, error.message)
            self.fatal = error
            self.ended = True
        else:
            _log.warning("the evaluator says: %s: %s", error.code, error.message)
