"""The PNG reader decodes every supported format, and rejects the others by name."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from evaluator import chunk, png

from robot_eval_client.errors import BadMessage
from robot_eval_client.png import decode_png

KINDS = {"grey": (), "rgb": (3,), "rgba": (4,)}


def random_picture(rng: np.random.Generator, height: int, width: int, kind: str) -> npt.NDArray[Any]:
    if kind == "grey16":
        return rng.integers(0, 65536, (height, width), dtype=np.uint16)
    return rng.integers(0, 256, (height, width, *KINDS[kind]), dtype=np.uint8)


@pytest.mark.parametrize("kind", ["grey", "rgb", "rgba", "grey16"])
@pytest.mark.parametrize("row_filter", [0, 1, 2, 3, 4])
def test_each_filter_is_undone(kind: str, row_filter: int) -> None:
    rng = np.random.default_rng(row_filter)
    for height, width in [(1, 1), (1, 7), (7, 1), (5, 9), (16, 16)]:
        picture = random_picture(rng, height, width, kind)
        decoded = decode_png(png(picture, [row_filter] * height))
        assert decoded.dtype == picture.dtype
        np.testing.assert_array_equal(decoded, picture)


@pytest.mark.parametrize("seed", range(40))
def test_any_mixture_of_filters_is_undone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    height, width = (int(n) for n in rng.integers(1, 24, 2))
    kind = ["grey", "rgb", "rgba", "grey16"][seed % 4]
    picture = random_picture(rng, height, width, kind)
    filters = rng.integers(0, 5 if seed % 3 else 3, height).tolist()
    decoded = decode_png(png(picture, filters))
    np.testing.assert_array_equal(decoded, picture)
    assert decoded.flags.writeable


def test_extreme_values_wrap_as_in_the_standard() -> None:
    picture = np.tile(np.array([[0, 255], [255, 0]], dtype=np.uint8), (6, 6))
    for row_filter in range(5):
        np.testing.assert_array_equal(decode_png(png(picture, [row_filter] * 12)), picture)


def header(depth: int = 8, colour: int = 2, interlace: int = 0, width: int = 1, height: int = 1) -> bytes:
    body = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", body)


END = chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (header(interlace=1) + END, "interlaced"),
        (header(colour=3) + END, "palette"),
        (header(colour=4) + END, "grey with alpha"),
        (header(depth=16) + END, "16-bit RGB"),
        (header(depth=1, colour=0) + END, "1-bit grey"),
        (header(width=1 << 20, height=1 << 20) + END, "at most"),
        (header(width=0) + END, "header"),
        (header(), "truncated"),
        (header()[:-1] + b"\x00" + END, "damaged IHDR"),
        (header() + chunk(b"IDAT", b"no zlib") + END, "decompressed"),
        (header() + chunk(b"IDAT", zlib.compress(bytes(3))) + END, "fewer"),
        (header() + chunk(b"IDAT", zlib.compress(bytes(1 << 20))) + END, "more"),
        (header() + chunk(b"IDAT", zlib.compress(b"\x07\x00\x00\x00")) + END, "filter 7"),
        (b"GIF89a", "not a PNG"),
    ],
)
def test_unsupported_files_are_rejected_by_name(data: bytes, says: str) -> None:
    with pytest.raises(BadMessage, match=says):
        decode_png(data)


def test_a_truncated_or_changed_file_raises_bad_message_only() -> None:
    rng = np.random.default_rng(0)
    good = png(random_picture(rng, 6, 5, "rgb"), [4, 3, 2, 1, 0, 4])
    for _ in range(500):
        bad = bytearray(good[: int(rng.integers(0, len(good) + 1))])
        if bad:
            bad[int(rng.integers(0, len(bad)))] ^= 1 << int(rng.integers(0, 8))
        with pytest.raises(BadMessage):
            decode_png(bytes(bad))
