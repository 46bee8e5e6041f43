"""The ten messages of the policy protocol: received ones as checked objects, sent ones as dictionaries.

Unknown fields are ignored; an invalid field raises a `BadMessage`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Union

from .errors import BadMessage
from .fields import finite_of, keys_of, loose_text, map_of, safe_seq, shown, text_of, whole_of
from .version import PROTOCOL_VERSION, __version__


@dataclass(frozen=True)
class Connect:
    session_id: str
    role: str | None
    protocol_version: str | None
    token: str | None
    capabilities: dict[str, Any] | None
    resume: dict[str, Any] | None


@dataclass(frozen=True)
class Connected:
    session_id: str
    protocol_version: str | None
    capabilities: dict[str, Any] | None
    resume_token: str | None
    resumed: bool
    server: dict[str, Any]


@dataclass(frozen=True)
class ResetEpisode:
    session_id: str
    seq: int | None
    episode: dict[str, Any]


@dataclass(frozen=True)
class GetAction:
    session_id: str
    seq: int | None
    step: int | None
    task_type: str
    observation: dict[Any, Any]


@dataclass(frozen=True)
class EpisodeEnd:
    session_id: str
    reason: str
    #: Only if the evaluator discloses them.
    metrics: dict[str, Any]


@dataclass(frozen=True)
class Heartbeat:
    session_id: str
    t: float
    is_answer: bool


@dataclass(frozen=True)
class PeerError:
    session_id: str
    code: str
    message: str
    fatal: bool


@dataclass(frozen=True)
class Disconnect:
    session_id: str
    reason: str
    #: Means over all episodes, only if the evaluator discloses the score.
    metrics: dict[str, Any]


Message = Union[Connect, Connected, ResetEpisode, GetAction, EpisodeEnd, Heartbeat, PeerError, Disconnect]


def read_message(raw: dict[Any, Any]) -> Message:
    kind = raw.get("type")
    if not isinstance(kind, str):
        raise BadMessage(f"the message has no `type`; its keys are {keys_of(raw)}")
    if kind == "error":
        return read_error(raw)
    session_id = text_of(raw, "session_id") or ""
    if kind == "get_action":
        return _read_get_action(raw, session_id)
    if kind == "reset_episode":
        episode = map_of(raw, "episode")
        if episode is None:
            raise BadMessage("reset_episode has no `episode`", re_seq=safe_seq(raw))
        return ResetEpisode(session_id, whole_of(raw, "seq"), episode)
    if kind == "episode_end":
        return EpisodeEnd(session_id, loose_text(raw.get("reason")), _metrics_of(raw))
    if kind == "heartbeat":
        return Heartbeat(session_id, finite_of(raw, "t") if "t" in raw else 0.0, "re" in raw)
    if kind == "disconnect":
        return Disconnect(session_id, loose_text(raw.get("reason")), _metrics_of(raw))
    if kind == "connect":
        version = raw.get("protocol_version")
        return Connect(
            session_id,
            text_of(raw, "role"),
            None if version is None else str(version),
            text_of(raw, "token"),
            map_of(raw, "capabilities"),
            map_of(raw, "resume"),
        )
    if kind == "connected":
        version = raw.get("protocol_version")
        server = raw.get("server")
        return Connected(
            session_id,
            None if version is None else str(version),
            map_of(raw, "capabilities"),
            text_of(raw, "resume_token"),
            raw.get("resumed") is True,
            server if isinstance(server, dict) else {},
        )
    if kind in ("action", "episode_ready"):
        raise BadMessage(f"{kind} is sent by policies, not by evaluators", "unexpected_message", safe_seq(raw))
    raise BadMessage(f"unknown message type {shown(kind)}", "unknown_type", safe_seq(raw))


def read_error(raw: dict[Any, Any]) -> PeerError:
    """Reads any content without raising, because an error must not be answered with an error."""
    return PeerError(
        loose_text(raw.get("session_id")),
        loose_text(raw.get("code")) or "error",
        loose_text(raw.get("message")),
        raw.get("fatal") is True,
    )


def _metrics_of(raw: dict[Any, Any]) -> dict[str, Any]:
    metrics = raw.get("metrics")
    return metrics if isinstance(metrics, dict) else {}


def _read_get_action(raw: dict[Any, Any], session_id: str) -> GetAction:
    seq = whole_of(raw, "seq")
    observation = raw.get("observation")
    if not isinstance(observation, dict):
        raise BadMessage(f"get_action.observation is {shown(observation)}; it must be an object with one entry per sensor", re_seq=seq)
    return GetAction(session_id, seq, whole_of(raw, "step"), loose_text(raw.get("task_type")), observation)


def connect_message(
    capabilities: dict[str, Any], token: str | None, resume: dict[str, Any] | None, policy: dict[str, Any]
) -> dict[str, Any]:
    message: dict[str, Any] = {
        "type": "connect",
        "session_id": "",
        "role": "agent",
        "protocol_version": PROTOCOL_VERSION,
        "capabilities": capabilities,
        "policy": policy,
        "client": {"name": "robot_eval_client", "version": __version__, "policy": policy["name"]},
    }
    if token is not None:
        message["token"] = token
    if resume is not None:
        message["resume"] = resume
    return message


def connected_message(
    session_id: str, capabilities: dict[str, Any], resume_token: str, resumed: bool, policy: dict[str, Any]
) -> dict[str, Any]:
    message: dict[str, Any] = {
        "type": "connected",
        "session_id": session_id,
        "protocol_version": PROTOCOL_VERSION,
        "capabilities": capabilities,
        "policy": policy,
        "server": {"name": "robot_eval_client", "version": __version__, "policy": policy["name"]},
        "resume_token": resume_token,
    }
    if resumed:
        message["resumed"] = True
    return message


def episode_ready_message(session_id: str, episode_id: Any, seq: int | None) -> dict[str, Any]:
    return with_seq({"type": "episode_ready", "session_id": session_id, "episode_id": episode_id}, seq)


def action_message(session_id: str, actions: list[Any], seq: int | None, infer_ms: float) -> dict[str, Any]:
    """A single action is sent as `action`, which every evaluator supports; several as `actions`."""
    message: dict[str, Any] = {"type": "action", "session_id": session_id}
    if len(actions) == 1:
        message["action"] = actions[0]
    else:
        message["actions"] = actions
    message["timing"] = {"infer_ms": round(infer_ms, 3)}
    return with_seq(message, seq)


def heartbeat_message(session_id: str, re: float) -> dict[str, Any]:
    """The answer to a heartbeat; `t` is in milliseconds since 1970."""
    return {"type": "heartbeat", "session_id": session_id, "t": time.time() * 1000, "re": re}


def error_message(
    session_id: str, code: str, text: str, *, fatal: bool = False, re_seq: int | None = None
) -> dict[str, Any]:
    message: dict[str, Any] = {
        "type": "error",
        "session_id": session_id,
        "code": code,
        "message": text[:4000],
        "fatal": fatal,
    }
    if re_seq is not None:
        message["re_seq"] = re_seq
    return message


def disconnect_message(session_id: str, reason: str) -> dict[str, Any]:
    return {"type": "disconnect", "session_id": session_id, "reason": reason}


def with_seq(message: dict[str, Any], seq: int | None) -> dict[str, Any]:
    if seq is not None:
        message["seq"] = seq
    return message
