"""Reads PNG with zlib and NumPy only, so that a policy needs no imaging library.

Supports 8-bit grey, RGB and RGBA, and 16-bit grey, which robot-eval and cameras write. Other formats are rejected
with an error that names them. Specification: W3C PNG (third edition), chapters 5, 9 and 11.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import BadMessage

_SIGNATURE = b"\x89PNG\r\n\x1a\n"

#: Limit on the decompressed size: twice 4096 x 4096, the largest camera.
MAX_PIXELS = 1 << 25

_CHANNELS = {0: 1, 2: 3, 6: 4}
_COLOUR_NAMES = {0: "grey", 2: "RGB", 3: "palette", 4: "grey with alpha", 6: "RGBA"}

Bytes = npt.NDArray[np.uint8]


def decode_png(data: bytes) -> npt.NDArray[Any]:
    """(H, W) for grey, uint8 or uint16; (H, W, 3) or (H, W, 4) uint8 for colour."""
    width, height, depth, channels, packed = _read_chunks(data)
    pixel_bytes = channels * depth // 8
    row_bytes = width * pixel_bytes
    rows = _inflate(packed, height * (row_bytes + 1)).reshape(height, row_bytes + 1)
    pixels = _unfilter(rows[:, 0], rows[:, 1:].copy(), pixel_bytes)
    if depth == 16:
        return pixels.view(">u2").astype(np.uint16)
    return pixels if channels == 1 else pixels.reshape(height, width, channels)


def _read_chunks(data: bytes) -> tuple[int, int, int, int, bytes]:
    if not data.startswith(_SIGNATURE):
        raise BadMessage("not a PNG file")
    header: tuple[int, int, int, int] | None = None
    parts: list[bytes] = []
    at = len(_SIGNATURE)
    while at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        kind = data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + length]
        end = at + 8 + length
        if end + 4 > len(data):
            break
        if zlib.crc32(kind + body) != struct.unpack_from(">I", data, end)[0]:
            raise BadMessage(f"the PNG has a damaged {kind.decode('latin1')} chunk")
        if header is None:
            if kind != b"IHDR" or length != 13:
                raise BadMessage("the PNG does not begin with its header")
            header = _read_header(body)
        elif kind == b"IDAT":
            parts.append(body)
        elif kind == b"IEND":
            return (*header, b"".join(parts))
        at = end + 4
    raise BadMessage("the PNG is truncated")


def _read_header(body: bytes) -> tuple[int, int, int, int]:
    width, height, depth, colour, compression, filtering, interlace = struct.unpack(">IIBBBBB", body)
    if interlace:
        raise BadMessage("interlaced PNGs are not supported; save it without interlacing")
    if compression or filtering or width == 0 or height == 0:
        raise BadMessage("the PNG has an invalid header")
    if width * height > MAX_PIXELS:
        raise BadMessage(f"the PNG has {width} x {height} pixels; at most {MAX_PIXELS} are supported")
    channels = _CHANNELS.get(colour)
    if channels is None or depth not in ((8, 16) if channels == 1 else (8,)):
        name = _COLOUR_NAMES.get(colour, f"colour type {colour}")
        raise BadMessage(f"{depth}-bit {name} PNGs are not supported; send 8-bit grey, RGB or RGBA, or 16-bit grey")
    return width, height, depth, channels


def _inflate(packed: bytes, size: int) -> Bytes:
    unpacker = zlib.decompressobj()
    try:
        raw = unpacker.decompress(packed, size + 1)
    except zlib.error as error:
        raise BadMessage(f"the PNG's pixels cannot be decompressed: {error}") from error
    if len(raw) != size:
        raise BadMessage(f"the PNG's pixels decompress to {'more' if len(raw) > size else 'fewer'} than {size} bytes")
    return np.frombuffer(raw, dtype=np.uint8)


def _unfilter(kinds: Bytes, rows: Bytes, pixel_bytes: int) -> Bytes:
    """Undoes the rows' filters in place. All sums are modulo 256, as in uint8 arithmetic."""
    if kinds.max() > 4:
        raise BadMessage(f"the PNG has the row filter {int(kinds.max())}; valid are 0 to 4")
    slow = np.flatnonzero(kinds >= 3)
    first, last = (int(slow[0]), int(slow[-1]) + 1) if slow.size else (len(kinds), len(kinds))
    _unfilter_runs(kinds, rows, pixel_bytes, 0, first)
    if slow.size:
        _unfilter_wave(kinds, rows, pixel_bytes, first, last)
        _unfilter_runs(kinds, rows, pixel_bytes, last, len(kinds))
    return rows


def _unfilter_runs(kinds: Bytes, rows: Bytes, pixel_bytes: int, begin: int, end: int) -> None:
    """The filters None, Sub and Up. A Sub row depends on no other row, so all of them are summed at once."""
    subs = begin + np.flatnonzero(kinds[begin:end] == 1)
    if subs.size:
        every = subs.size == len(rows)
        pixels = (rows if every else rows[subs]).reshape(len(subs), -1, pixel_bytes)
        summed = np.empty_like(pixels)
        for channel in range(pixel_bytes):
            np.cumsum(pixels[:, :, channel], axis=1, dtype=np.uint8, out=summed[:, :, channel])
        rows[subs] = summed.reshape(len(subs), -1)
    for y in begin + np.flatnonzero(kinds[begin:end] == 2):
        if y > 0:
            rows[y] += rows[y - 1]


def _unfilter_wave(kinds: Bytes, rows: Bytes, pixel_bytes: int, begin: int, end: int) -> None:
    """All five filters, one diagonal at a time.

    Average and Paeth depend on the left, the upper and the upper left neighbour, which lie on the two previous
    diagonals. So each diagonal is one vector operation: width + height operations instead of width x height.
    """
    count = end - begin
    width = rows.shape[1] // pixel_bytes
    # Entry r of a diagonal is in row begin + r - 1; entry 0 is the row above the band.
    slanted = np.zeros((width + count + 1, count + 1, pixel_bytes), dtype=np.int16)
    band = rows[begin:end].reshape(count, width, pixel_bytes)
    if begin > 0:
        slanted[1 : width + 1, 0] = rows[begin - 1].reshape(width, pixel_bytes)
    for r in range(count):
        slanted[r + 2 : r + 2 + width, r + 1] = band[r]
    kind = kinds[begin:end, None]
    sub, up, average, paeth = (np.broadcast_to(kind == k, (count, pixel_bytes)) for k in (1, 2, 3, 4))
    for d in range(2, width + count + 1):
        # Pixel (r, x) lies on diagonal r + x + 2; those of this diagonal have r from `low` to `high`.
        low, high = max(0, d - 1 - width), min(count, d - 1)
        left = slanted[d - 1, low + 1 : high + 1]
        above = slanted[d - 1, low:high]
        corner = slanted[d - 2, low:high]
        to_left, to_above = np.abs(above - corner), np.abs(left - corner)
        to_corner = np.abs(left + above - 2 * corner)
        nearest = np.where(
            (to_left <= to_above) & (to_left <= to_corner), left, np.where(to_above <= to_corner, above, corner)
        )
        guess = np.where(paeth[low:high], nearest, 0)
        np.copyto(guess, left, where=sub[low:high])
        np.copyto(guess, above, where=up[low:high])
        np.copyto(guess, (left + above) >> 1, where=average[low:high])
        here = slanted[d, low + 1 : high + 1]
        np.bitwise_and(here + guess, 255, out=here)
    for r in range(count):
        band[r] = slanted[r + 2 : r + 2 + width, r + 1]
