"""What two sides agree on before the first episode. Everything in it is optional."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Any

from .messages import Connect, Connected
from .policy import Declaration
from .version import PROTOCOL_VERSION


@dataclass(frozen=True)
class Refusal:
    code: str
    text: str
    close_code: int


def refusal_of(connect: Connect, token: str | None) -> Refusal | None:
    """Why an evaluator that dialled is not let in."""
    if connect.role not in (None, "", "evaluator"):
        return Refusal("wrong_role", f"this is a policy's server, and waits for evaluators, not {connect.role!r}", 1008)
    if not same_major(connect.protocol_version):
        return Refusal(
            "version_mismatch",
            f"the evaluator speaks protocol {connect.protocol_version}, this policy {PROTOCOL_VERSION}: update the older",
            1002,
        )
    if not has_token(connect.token, token):
        return Refusal("unauthorized", "this policy's server needs the right `token` in connect", 1008)
    return None


def has_token(said: str | None, wanted: str | None) -> bool:
    """In a time that tells nothing of how much of it is right."""
    return wanted is None or hmac.compare_digest((said or "").encode(), wanted.encode())


def same_major(version: str | None) -> bool:
    return version is None or version.split(".")[0] == PROTOCOL_VERSION.split(".")[0]


def wanted_sessions(connect: Connect) -> int:
    return _count((connect.capabilities or {}).get("sessions"), 1)


def agreed_encoding(theirs: object, ours: tuple[str, ...]) -> str:
    """The first of the dialler's that the listener knows. JSON is what remains when there is none."""
    if isinstance(theirs, list):
        for name in theirs:
            if name in ours:
                return str(name)
    return "json"


def listener_capabilities(declaration: Declaration, encoding: str, granted: int) -> dict[str, Any]:
    return {"encodings": [encoding], "sessions": granted, **declaration.capabilities()}


def dialler_capabilities(declaration: Declaration, encodings: tuple[str, ...], capacity: int) -> dict[str, Any]:
    return {"encodings": list(encodings), "sessions": capacity, **declaration.capabilities()}


def actions_a_reply(declaration: Declaration, peer: Connect | Connected) -> int:
    """A peer without capabilities is of the plain kind, and takes one action at a time."""
    if peer.capabilities is None:
        return 1
    return min(declaration.action_chunk, _count(peer.capabilities.get("action_chunk"), declaration.action_chunk))


def sessions_of(connected: Connected) -> int:
    return _count((connected.capabilities or {}).get("sessions"), 1)


def _count(value: object, default: int) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 1 else default
