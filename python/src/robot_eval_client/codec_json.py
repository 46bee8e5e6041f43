"""Text frames: JSON, the form that every peer understands."""

from __future__ import annotations

import json
from typing import Any

from .errors import BadMessage


def _no_constant(name: str) -> Any:
    raise BadMessage(f"a text frame with {name}, which JSON does not have")


def decode_json(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except BadMessage:
        raise
    except (ValueError, RecursionError) as error:
        raise BadMessage(f"a text frame that is no JSON: {error}") from error


def encode_json(message: dict[str, Any]) -> str:
    # Escaped, since half a surrogate pair (a file name in an exception's text) has no UTF-8.
    return json.dumps(message, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
