"""Pictures in JSON: base64 of a file that tells by its first bytes what it is."""

from __future__ import annotations

import base64
import binascii
import io
import math
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy_format

from .errors import BadMessage
from .png import MAX_PIXELS, decode_png

# How base64 of the files' first bytes reads. Instructions and categories never begin so.
_PNG = "iVBORw0KGgo"
_NPY = "k05VTVBZ"
_JPEG = "/9j/"


def picture_from_base64(text: str) -> npt.NDArray[Any] | None:
    """The picture in a string; None for a string that is text."""
    if text.startswith(_PNG):
        return decode_png(_bytes(text))
    if text.startswith(_NPY):
        return _decode_npy(_bytes(text))
    if text.startswith(_JPEG):
        return _decode_jpeg(_bytes(text))
    return None


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise BadMessage(f"a picture that is no base64: {error}") from error


_NPY_HEADERS = {(1, 0): npy_format.read_array_header_1_0, (2, 0): npy_format.read_array_header_2_0}


def _decode_npy(data: bytes) -> npt.NDArray[Any]:
    """The header is NumPy's to read, the numbers are taken as they lie: nothing can be unpickled, and a header that
    promises more than there is allocates nothing."""
    file = io.BytesIO(data)
    try:
        shape, fortran_order, dtype = _NPY_HEADERS[npy_format.read_magic(file)](file)
    except Exception as error:  # Python's own tokenizer reads it, and raises of its own accord.
        raise BadMessage(f"a .npy file that NumPy cannot read: {error}") from error
    if dtype.kind not in "biuf":
        raise BadMessage(f"a .npy file of dtype {dtype}; only numbers are read")
    needed, there = math.prod(shape) * dtype.itemsize, len(data) - file.tell()
    if needed != there or any(n < 0 for n in shape):
        raise BadMessage(f"a .npy file of shape {shape} and dtype {dtype} needs {needed} bytes, it has {there}")
    array = np.frombuffer(data, dtype, offset=file.tell()).reshape(shape, order="F" if fortran_order else "C")
    return array.astype(dtype.newbyteorder("="), order="C", copy=True)


def _decode_jpeg(data: bytes) -> npt.NDArray[Any]:
    try:
        from PIL import Image
    except ImportError as error:
        raise BadMessage(
            "a JPEG picture, which needs Pillow: pip install pillow, or let the evaluator send PNG"
        ) from error
    try:
        with Image.open(io.BytesIO(data), formats=["JPEG"]) as picture:
            if picture.width * picture.height > MAX_PIXELS:
                raise BadMessage(f"a JPEG of {picture.width} x {picture.height} pixels is too large")
            return np.array(picture.convert("RGB"), dtype=np.uint8)
    except (OSError, SyntaxError) as error:
        raise BadMessage(f"a JPEG picture that Pillow cannot read: {error}") from error
