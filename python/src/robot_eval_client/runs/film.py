"""Frames of a recorded film."""

from __future__ import annotations

import io
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import RunError
from .files import MAX_FILM, read_plain

#: robot-eval writes films of about 200 frames of less than 2 million pixels.
MAX_FRAMES = 10_000
MAX_PIXELS = 1 << 23

Frame = npt.NDArray[np.uint8]


def read_film(path: str | PathLike[str]) -> Iterator[Frame]:
    """The frames of a film, WebP or MP4, as uint8 (H, W, 3), decoded one at a time."""
    path = Path(path)
    data = read_plain(path, MAX_FILM)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp_frames(data, path)
    if data[4:8] == b"ftyp":
        return _mp4_frames(data, path)
    raise RunError(f"{path}: neither WebP nor MP4")


def _webp_frames(data: bytes, path: Path) -> Iterator[Frame]:
    try:
        from PIL import Image, ImageSequence
    except ImportError as error:
        raise _missing("Pillow", "WebP") from error
    try:
        with Image.open(io.BytesIO(data), formats=["WEBP"]) as film:
            _check_size(path, film.width, film.height, getattr(film, "n_frames", 1))
            for frame in ImageSequence.Iterator(film):
                yield np.array(frame.convert("RGB"), dtype=np.uint8)
    except (OSError, SyntaxError, EOFError) as error:
        raise RunError(f"{path}: Pillow cannot read the film: {error}") from error


def _mp4_frames(data: bytes, path: Path) -> Iterator[Frame]:
    try:
        import av
    except ImportError as error:
        raise _missing("PyAV", "MP4") from error
    try:
        # The bytes are passed, and not the path, so that the file can refer to no other one.
        with av.open(io.BytesIO(data), mode="r", format="mp4") as film:
            stream = film.streams.video[0]
            _check_size(path, stream.width, stream.height, 1)
            for count, frame in enumerate(film.decode(stream), start=1):
                _check_size(path, frame.width, frame.height, count)
                pixels: Any = frame.to_ndarray(format="rgb24")
                yield pixels
    except (av.FFmpegError, IndexError) as error:
        raise RunError(f"{path}: PyAV cannot read the film: {error}") from error


def _check_size(path: Path, width: int, height: int, frames: int) -> None:
    if width * height > MAX_PIXELS or frames > MAX_FRAMES:
        raise RunError(
            f"{path}: has {width} x {height} pixels and {frames} frames or more; "
            f"at most {MAX_PIXELS} pixels and {MAX_FRAMES} frames are read"
        )


def _missing(package: str, kind: str) -> RunError:
    return RunError(f"reading {kind} films needs {package}: pip install 'robot-eval-client[runs]'")
