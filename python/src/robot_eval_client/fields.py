"""Reads fields of a message. An invalid field raises a `BadMessage` that names it."""

from __future__ import annotations

import sys
from typing import Any

from .errors import BadMessage


def text_of(raw: dict[Any, Any], name: str) -> str | None:
    value = raw.get(name)
    if value is not None and not isinstance(value, str):
        raise BadMessage(f"{raw['type']}.{name} is {shown(value)}; it must be a string", re_seq=safe_seq(raw))
    return value


def map_of(raw: dict[Any, Any], name: str) -> dict[str, Any] | None:
    value = raw.get(name)
    if value is not None and not isinstance(value, dict):
        raise BadMessage(f"{raw['type']}.{name} is {shown(value)}; it must be an object", re_seq=safe_seq(raw))
    return value


def whole_of(raw: dict[Any, Any], name: str) -> int | None:
    value = raw.get(name)
    if value is None:
        return None
    # Some MessagePack encoders send large whole numbers as floats.
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 53:
        raise BadMessage(f"{raw['type']}.{name} is {shown(raw.get(name))}; it must be a whole number, 0 or greater")
    return value


def finite_of(raw: dict[Any, Any], name: str) -> float:
    value = raw.get(name)
    # JSON allows integers of any length; neither MessagePack nor a float can represent larger ones.
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= sys.float_info.max:
        raise BadMessage(f"{raw['type']}.{name} is {shown(value)}; it must be a finite number")
    return value if isinstance(value, float) or abs(value) < 1 << 53 else float(value)


def safe_seq(raw: dict[Any, Any]) -> int | None:
    value = raw.get("seq")
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53 else None


def loose_text(value: object) -> str:
    return value if isinstance(value, str) else ""


def shown(value: object) -> str:
    try:
        text = repr(value)
    except RecursionError:
        text = f"a {type(value).__name__} with too many levels of nesting"
    return text if len(text) <= 80 else f"{text[:77]}..."


def keys_of(raw: dict[Any, Any]) -> str:
    return shown(sorted(str(key) for key in raw))
