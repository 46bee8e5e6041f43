"""One message, one frame, in either form; the frame's type says which."""

from __future__ import annotations

from typing import Any

from .codec_json import decode_json, encode_json
from .codec_msgpack import decode_msgpack, encode_msgpack
from .errors import BadMessage, PolicyDefinitionError

#: Preferred first: arrays need neither base64 nor PNG in MessagePack.
ENCODINGS = ("msgpack", "json")


def decode_frame(frame: str | bytes) -> dict[Any, Any]:
    message = decode_json(frame) if isinstance(frame, str) else decode_msgpack(frame)
    if not isinstance(message, dict):
        raise BadMessage(f"a message is an object with `type`, this is {type(message).__name__}")
    return message


def encode_frame(message: dict[str, Any], encoding: str) -> str | bytes:
    return encode_msgpack(message) if encoding == "msgpack" else encode_json(message)


def check_encodings(encodings: object) -> tuple[str, ...]:
    names = tuple(encodings) if isinstance(encodings, (list, tuple)) else (encodings,)
    if not names or any(name not in ENCODINGS for name in names):
        raise PolicyDefinitionError(f"encodings is {encodings!r}; it names some of {', '.join(ENCODINGS)}")
    return tuple(str(name) for name in names)
