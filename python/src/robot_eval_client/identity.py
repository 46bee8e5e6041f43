"""How a policy names itself. Evaluators record it with every run and show it with the results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import PolicyDefinitionError

#: Maximum lengths; evaluators would truncate longer texts.
_MAX_NAME = 100
_MAX_CHECKPOINT = 500


def identity_of(
    class_name: str, name: str | None, version: str | None, checkpoint: str | None, metadata: Mapping[str, Any] | None
) -> dict[str, Any]:
    identity: dict[str, Any] = {"name": _text("name", class_name if name is None else name, _MAX_NAME)}
    if version is not None:
        identity["version"] = _text("version", version, _MAX_NAME)
    if checkpoint is not None:
        identity["checkpoint"] = _text("checkpoint", checkpoint, _MAX_CHECKPOINT)
    if metadata is not None:
        identity["metadata"] = {key: _fact(key, value) for key, value in metadata.items()}
    return identity


def _text(what: str, value: object, longest: int) -> str:
    if isinstance(value, str) and value.strip() and len(value) <= longest and value.isprintable():
        return value
    raise PolicyDefinitionError(f"{what} is {value!r:.200}; it must be a text of one line and at most {longest} characters")


def _fact(key: object, value: object) -> str | float | bool:
    if isinstance(key, str) and isinstance(value, (str, int, float, bool)):
        return value
    raise PolicyDefinitionError(f"metadata[{key!r}] is {value!r:.200}; it must be a text, a number, True or False")
