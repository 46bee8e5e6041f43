"""The negotiated state with one evaluator, and its sessions. It survives a lost connection."""

from __future__ import annotations

import asyncio
import logging
import re
from typing import Any, Protocol

from .errors import BadMessage
from .messages import Disconnect, EpisodeEnd, GetAction, Heartbeat, Message, PeerError, ResetEpisode, heartbeat_message
from .pool import PolicyPool
from .session import Session
from .summary import EndedEpisodes

_log = logging.getLogger("robot_eval_client")


class Sender(Protocol):
    """The part of a connection that a link uses."""

    def post(self, message: dict[str, Any]) -> None: ...


class Link:
    def __init__(
        self, pool: PolicyPool, session_id: str, resume_token: str | None, granted: int, max_actions: int
    ) -> None:
        self.session_id = session_id
        self.resume_token = resume_token
        self.granted = granted
        self.last_seq: int | None = None
        #: Set when the evaluator disconnects or sends a fatal error.
        self.ended = False
        self.fatal: PeerError | None = None
        #: Counts the episodes of a policy that connected; a server does not count.
        self.ended_episodes: EndedEpisodes | None = None
        #: Whether the evaluator supports resuming after a lost connection.
        self.can_resume = True
        self._pool = pool
        self._max_actions = max_actions
        self._sessions: dict[str, Session] = {}
        self._sender: Sender | None = None
        self._id_pattern = re.compile(re.escape(session_id) + r"(/\d{1,9})?")
        self._expiry: asyncio.TimerHandle | None = None

    @property
    def sender(self) -> Sender | None:
        return self._sender

    def attach(self, sender: Sender) -> None:
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None
        self._sender = sender

    def detach(self, sender: Sender) -> bool:
        """False when another connection has already taken over."""
        if self._sender is not sender:
            return False
        self._sender = None
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
        self._sender = None

    def handle(self, message: Message) -> None:
        if isinstance(message, GetAction):
            self._note(message.seq)
            self._session(message.session_id, message.seq).act(message)
        elif isinstance(message, ResetEpisode):
            self._note(message.seq)
            self._session_for_reset(message.session_id, message.seq).reset(message)
        elif isinstance(message, EpisodeEnd):
            if self.ended_episodes is not None:
                self.ended_episodes.add(message.reason, message.metrics)
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
            if self.ended_episodes is not None:
                self.ended_episodes.end(message.metrics)
        else:
            raise BadMessage("connect and connected are only valid once, at the start", "unexpected_message")

    def _send(self, message: dict[str, Any]) -> None:
        # Without a connection nothing is lost: the session keeps its last answer and sends it when it is requested again.
        if self._sender is not None:
            self._sender.post(message)

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
            raise BadMessage(f"all {self.granted} negotiated sessions are in use", "too_many_sessions", seq)
        session = Session(session_id, self._pool.lease(), self._max_actions, self._send)
        self._sessions[session_id] = session
        return session

    def _unknown(self, session_id: str, seq: int | None) -> BadMessage:
        return BadMessage(
            f"unknown session {session_id[:80]!r}; valid are {self.session_id!r}, {self.session_id + '/1'!r} and so on",
            "unknown_session",
            seq,
        )

    def _on_error(self, error: PeerError) -> None:
        if error.fatal:
            _log.error("fatal error from the evaluator: %s: %s", error.code, error.message)
            self.fatal = error
            self.ended = True
        else:
            _log.warning("error from the evaluator: %s: %s", error.code, error.message)
