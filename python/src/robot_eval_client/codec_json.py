"""Text frames: JSON, which every peer supports."""

from __future__ import annotations

import json
from typing import Any

from .errors import BadMessage


def _no_constant(name: str) -> Any:
    raise BadMessage(f"the text frame contains {name}, which is not valid JSON")


def decode_json(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except BadMessage:
        raise
    except (ValueError, RecursionError) as error:
        raise BadMessage(f"the text frame is not valid JSON: {error}") from error


def encode_json(message: dict[str, Any]) -> str:
    # ASCII, because a lone surrogate (from a file name in an exception's text) cannot be encoded in UTF-8.
    return json.dumps(message, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
