"""Encodes one message per frame: text frames are JSON, binary frames are MessagePack."""

from __future__ import annotations

from typing import Any

from .codec_json import decode_json, encode_json
from .codec_msgpack import decode_msgpack, encode_msgpack
from .errors import BadMessage, PolicyDefinitionError

#: In order of preference: MessagePack carries arrays without base64 or PNG.
ENCODINGS = ("msgpack", "json")


def decode_frame(frame: str | bytes) -> dict[Any, Any]:
    message = decode_json(frame) if isinstance(frame, str) else decode_msgpack(frame)
    if not isinstance(message, dict):
        raise BadMessage(f"a message must be an object with `type`, got {type(message).__name__}")
    return message


def encode_frame(message: dict[str, Any], encoding: str) -> str | bytes:
    return encode_msgpack(message) if encoding == "msgpack" else encode_json(message)


def check_encodings(encodings: object) -> tuple[str, ...]:
    names = tuple(encodings) if isinstance(encodings, (list, tuple)) else (encodings,)
    if not names or any(name not in ENCODINGS for name in names):
        raise PolicyDefinitionError(f"encodings is {encodings!r}; it must be a list of {', '.join(ENCODINGS)}")
    return tuple(str(name) for name in names)
