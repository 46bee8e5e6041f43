"""The messages of the simulator protocol: received ones as checked objects, sent ones as dictionaries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Union

from ..errors import BadMessage
from ..fields import finite_of, keys_of, map_of, safe_seq, shown, text_of, whole_of
from ..messages import Heartbeat, PeerError, read_error, with_seq
from ..version import __version__
from .adapter import Frame

PROTOCOL = "robot-eval-sim/1"
VERSION = "1"


@dataclass(frozen=True)
class Connect:
    seq: int | None
    protocol: str | None
    versions: tuple[str, ...] | None
    token: str | None
    task: dict[str, Any]
    sensors: frozenset[str] | None
    sensor_config: dict[str, Any]


@dataclass(frozen=True)
class Reset:
    seq: int | None
    episode: dict[str, Any]
    seed: int
    task: dict[str, Any]


@dataclass(frozen=True)
class Step:
    seq: int | None
    action: Any


@dataclass(frozen=True)
class Geometry:
    seq: int | None
    #: SHA-256 of files that need not be sent.
    known: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Close:
    seq: int | None


Request = Union[Connect, Reset, Step, Geometry]
Message = Union[Request, Close, Heartbeat, PeerError]


def read_sim_message(raw: dict[Any, Any]) -> Message:
    kind = raw.get("type")
    if kind == "step":
        if "action" not in raw:
            raise BadMessage("step has no `action`", re_seq=safe_seq(raw))
        return Step(whole_of(raw, "seq"), raw["action"])
    if not isinstance(kind, str):
        raise BadMessage(f"the message has no `type`; its keys are {keys_of(raw)}", re_seq=safe_seq(raw))
    if kind == "reset":
        return _read_reset(raw)
    if kind == "geometry":
        return Geometry(whole_of(raw, "seq"), frozenset(_texts(raw, "known") or ()))
    if kind == "heartbeat":
        return Heartbeat("", finite_of(raw, "t"), "re" in raw)
    if kind == "connect":
        return _read_connect(raw)
    if kind == "close":
        return Close(safe_seq(raw))
    if kind == "error":
        return read_error(raw)
    raise BadMessage(f"unknown message type {shown(kind)}", "unknown_type", safe_seq(raw))


def _read_reset(raw: dict[Any, Any]) -> Reset:
    episode = map_of(raw, "episode")
    if episode is None:
        raise BadMessage("reset has no `episode`", re_seq=safe_seq(raw))
    seed = whole_of(raw, "seed")
    if seed is None or seed >= 1 << 32:
        raise BadMessage(
            f"reset.seed is {shown(raw.get('seed'))}; it must be a whole number below 2**32", re_seq=safe_seq(raw)
        )
    return Reset(whole_of(raw, "seq"), episode, seed, map_of(raw, "task") or {})


def _read_connect(raw: dict[Any, Any]) -> Connect:
    return Connect(
        whole_of(raw, "seq"),
        text_of(raw, "protocol"),
        _texts(raw, "versions"),
        text_of(raw, "token"),
        map_of(raw, "task") or {},
        None if (sensors := _texts(raw, "sensors")) is None else frozenset(sensors),
        map_of(raw, "sensor_config") or {},
    )


def _texts(raw: dict[Any, Any], name: str) -> tuple[str, ...] | None:
    value = raw.get(name)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadMessage(f"{raw['type']}.{name} is {shown(value)}; it must be a list of strings", re_seq=safe_seq(raw))
    return tuple(value)


def connected_message(seq: int | None, simulator: Mapping[str, Any], capabilities: Mapping[str, Any]) -> dict[str, Any]:
    message = {
        "type": "connected",
        "protocol_version": VERSION,
        "simulator": dict(simulator),
        "capabilities": dict(capabilities),
        "server": {"name": "robot_eval_client", "version": __version__},
    }
    return with_seq(message, seq)


def frame_message(seq: int | None, frame: Frame) -> dict[str, Any]:
    message: dict[str, Any] = {
        "type": "frame",
        "seq": seq,
        "observation": frame.observation,
        "state": frame.state,
        "done": frame.done,
    }
    if frame.time_s is not None:
        message["time_s"] = frame.time_s
    if frame.info is not None:
        message["info"] = frame.info
    return message


def geometry_message(seq: int | None, geometry: Mapping[str, Any] | None) -> dict[str, Any]:
    return with_seq({**(geometry or {}), "type": "geometry"}, seq)


def error_message(seq: int | None, code: str, text: str, fault: str, *, fatal: bool = False) -> dict[str, Any]:
    message = {"type": "error", "code": code, "message": text[:4000], "fatal": fatal, "fault": fault}
    return with_seq(message, seq)
