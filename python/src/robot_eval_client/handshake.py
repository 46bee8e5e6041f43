"""Negotiation before the first episode. All capabilities are optional."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
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
    """Why a connecting evaluator is rejected; None if it is accepted."""
    if connect.role not in (None, "", "evaluator"):
        return Refusal("wrong_role", f"this policy server accepts the role 'evaluator', not {connect.role!r}", 1008)
    if not same_major(connect.protocol_version):
        return Refusal(
            "version_mismatch",
            f"the evaluator uses protocol {connect.protocol_version}, this policy {PROTOCOL_VERSION}: "
            "update the older of the two",
            1002,
        )
    if not has_token(connect.token, token):
        return Refusal("unauthorized", "`token` in connect is missing or wrong", 1008)
    return None


def has_token(received: str | None, expected: str | None) -> bool:
    """Compares in constant time."""
    return expected is None or hmac.compare_digest((received or "").encode(), expected.encode())


def same_major(version: str | None) -> bool:
    return version is None or version.split(".")[0] == PROTOCOL_VERSION.split(".")[0]


def agreed_encoding(theirs: object, ours: tuple[str, ...]) -> str:
    """The first encoding of the client that the server supports, or else JSON."""
    if isinstance(theirs, list):
        for name in theirs:
            if name in ours:
                return str(name)
    return "json"


def capabilities_of(declaration: Declaration, encodings: Sequence[str], sessions: int) -> dict[str, Any]:
    return {"encodings": list(encodings), "sessions": sessions, **declaration.capabilities()}


def actions_per_reply(declaration: Declaration, peer: Connect | Connected) -> int:
    """A peer that declares no capabilities accepts one action at a time."""
    if peer.capabilities is None:
        return 1
    return min(declaration.action_chunk, _count(peer.capabilities.get("action_chunk"), declaration.action_chunk))


def sessions_of(peer: Connect | Connected) -> int:
    return _count((peer.capabilities or {}).get("sessions"), 1)


def _count(value: object, default: int) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 1 else default
