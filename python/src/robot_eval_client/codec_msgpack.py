"""Binary frames: MessagePack, with arrays as openpi's msgpack_numpy writes them.

Nothing here can run code: pickles, object arrays and extension types are rejected.
"""

from __future__ import annotations

import math
import re
from typing import Any

import msgpack
import numpy as np
import numpy.typing as npt

from .errors import BadMessage
from .memory import keep_freed_memory

# Checked before NumPy parses it, because NumPy accepts structured types in such a string.
_DTYPE = re.compile(r"^[|<>=]?(b1|[iu][1248]|f[248])$")

_MAX_DIMENSIONS = 8


def decode_msgpack(frame: bytes) -> Any:
    keep_freed_memory(len(frame))
    try:
        return msgpack.unpackb(
            frame, raw=False, strict_map_key=False, object_hook=_from_map, ext_hook=_no_extension, timestamp=0
        )
    except BadMessage:
        raise
    except (ValueError, TypeError, RecursionError, msgpack.UnpackException) as error:
        reason = str(error) or type(error).__name__
        raise BadMessage(f"the binary frame is not valid MessagePack: {reason}") from error


def encode_msgpack(message: dict[str, Any]) -> bytes:
    packed: bytes = msgpack.packb(message, default=_to_map, use_bin_type=True, unicode_errors="replace")
    keep_freed_memory(len(packed))
    return packed


def _from_map(fields: dict[Any, Any]) -> Any:
    # openpi's keys are bytes, those of other writers are text; both are accepted.
    if b"__ndarray__" in fields or "__ndarray__" in fields:
        return _array(_field(fields, "dtype"), _field(fields, "shape"), _field(fields, "data"))
    if b"__npgeneric__" in fields or "__npgeneric__" in fields:
        return _scalar(_field(fields, "dtype"), _field(fields, "data"))
    return fields


def _field(fields: dict[Any, Any], name: str) -> Any:
    return fields.get(name.encode(), fields.get(name))


def _array(dtype: Any, shape: Any, data: Any) -> npt.NDArray[Any]:
    kind = _dtype(dtype)
    if not isinstance(shape, list) or len(shape) > _MAX_DIMENSIONS or not all(_is_size(n) for n in shape):
        raise BadMessage(f"array shape {shape!r} is invalid; a shape is a list of at most {_MAX_DIMENSIONS} whole numbers")
    if not isinstance(data, bytes):
        raise BadMessage(f"array data is {type(data).__name__}; it must be binary")
    needed = math.prod(shape) * kind.itemsize
    if len(data) != needed:
        raise BadMessage(f"an array of shape {shape} and dtype {kind.str} needs {needed} bytes, got {len(data)}")
    # A copy in native byte order: a policy may write to it, and PyTorch requires writable arrays.
    return np.frombuffer(data, dtype=kind).reshape(shape).astype(kind.newbyteorder("="), copy=True)


def _scalar(dtype: Any, data: Any) -> Any:
    kind = _dtype(dtype)
    if isinstance(data, bytes):
        return _array(dtype, [], data).item()
    if isinstance(data, (bool, int, float)):
        return kind.type(data).item()
    raise BadMessage(f"NumPy scalar data is {type(data).__name__}; it must be binary or a number")


def _dtype(name: Any) -> np.dtype[Any]:
    if isinstance(name, bytes):
        name = name.decode("latin1")
    if not isinstance(name, str) or not _DTYPE.match(name):
        raise BadMessage(f"dtype {name!r} is not supported; send booleans, integers or floats such as '|u1', '<f4'")
    return np.dtype(name)


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 31


def _no_extension(code: int, _data: bytes) -> Any:
    raise BadMessage(f"MessagePack extension {code} is not supported; this protocol has no extensions")


def _to_map(value: Any) -> Any:
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        little = np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<"))
        return {
            b"__ndarray__": True,
            b"data": little.tobytes(),
            b"dtype": little.dtype.str,
            b"shape": list(value.shape),
        }
    raise TypeError(f"{type(value).__name__} cannot be sent")
