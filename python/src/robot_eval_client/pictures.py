"""Images in JSON: base64 of an image file, recognised by its first bytes."""

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

# Base64 of each format's first bytes. Instructions and category names do not begin with these.
_PNG = "iVBORw0KGgo"
_NPY = "k05VTVBZ"
_JPEG = "/9j/"


def picture_from_base64(text: str) -> npt.NDArray[Any] | None:
    """The image in a string; None for ordinary text."""
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
        raise BadMessage(f"the image is not valid base64: {error}") from error


_NPY_HEADERS = {(1, 0): npy_format.read_array_header_1_0, (2, 0): npy_format.read_array_header_2_0}


def _decode_npy(data: bytes) -> npt.NDArray[Any]:
    """NumPy parses only the header; the data are read as raw numbers. So nothing is unpickled, and a header with a too
    large shape allocates nothing."""
    file = io.BytesIO(data)
    try:
        shape, fortran_order, dtype = _NPY_HEADERS[npy_format.read_magic(file)](file)
    except Exception as error:  # The header is parsed with Python's tokenizer, which raises errors of its own.
        raise BadMessage(f"NumPy cannot read the .npy file: {error}") from error
    if dtype.kind not in "biuf":
        raise BadMessage(f"the .npy file has dtype {dtype}; only numeric types are supported")
    needed, found = math.prod(shape) * dtype.itemsize, len(data) - file.tell()
    if needed != found or any(n < 0 for n in shape):
        raise BadMessage(f"a .npy file of shape {shape} and dtype {dtype} needs {needed} bytes, got {found}")
    array = np.frombuffer(data, dtype, offset=file.tell()).reshape(shape, order="F" if fortran_order else "C")
    return array.astype(dtype.newbyteorder("="), order="C", copy=True)


def _decode_jpeg(data: bytes) -> npt.NDArray[Any]:
    try:
        from PIL import Image
    except ImportError as error:
        raise BadMessage(
            "reading JPEG images requires Pillow: run pip install pillow, or let the evaluator send PNG"
        ) from error
    try:
        with Image.open(io.BytesIO(data), formats=["JPEG"]) as picture:
            if picture.width * picture.height > MAX_PIXELS:
                raise BadMessage(
                    f"the JPEG has {picture.width} x {picture.height} pixels; at most {MAX_PIXELS} are supported"
                )
            return np.array(picture.convert("RGB"), dtype=np.uint8)
    except (OSError, SyntaxError) as error:
        raise BadMessage(f"Pillow cannot read the JPEG image: {error}") from error
