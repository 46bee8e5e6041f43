"""Opens the files of a run directory as untrusted data."""

from __future__ import annotations

import json
import os
import re
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .errors import RunError

#: Limits in bytes: documents and lines as JSON, a trajectory after unpacking, a film, and episodes.jsonl.
MAX_DOCUMENT = 64 << 20
MAX_TRAJECTORY = 256 << 20
MAX_FILM = 256 << 20
MAX_EPISODES = 1 << 30
#: Lists and objects in a text: each takes 20 times its bytes in memory.
MAX_CONTAINERS = 8 << 20

# Without O_NONBLOCK, opening a pipe waits for a writer. Windows has neither flag.
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def open_plain(path: Path, most: int) -> int:
    """The descriptor of a regular file. Links, pipes and devices are rejected; so are files above `most` bytes."""
    try:
        _check_kind(path, os.lstat(path))
        descriptor = os.open(path, _READ)
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror or error}") from error
    try:
        # The path may have been replaced since it was checked.
        found = os.fstat(descriptor)
        _check_kind(path, found)
        if found.st_size > most:
            raise RunError(f"{path}: has {found.st_size} bytes; the limit is {most}")
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def read_plain(path: Path, most: int) -> bytes:
    with os.fdopen(open_plain(path, most), "rb") as file:
        # A file may grow while it is read.
        return file.read(most)


def _check_kind(path: Path, found: os.stat_result) -> None:
    if stat.S_ISREG(found.st_mode):
        return
    what = "a symbolic link" if stat.S_ISLNK(found.st_mode) else "something else"
    raise RunError(f"{path}: expected a regular file, found {what}; replace a link by the file itself if you trust it")


def file_in(run: Path, folder: str, name: object) -> Path:
    """The path of a file that a line names. It must be directly in the run's own folder."""
    found = re.fullmatch(rf"{folder}/([^/\\\0]+)", name) if isinstance(name, str) else None
    if found is None or found[1] in (".", ".."):
        raise RunError(f"{run / 'episodes.jsonl'}: {name!r} is not a file in {folder}/")
    try:
        is_folder = stat.S_ISDIR(os.lstat(run / folder).st_mode)
    except OSError as error:
        raise RunError(f"{run / folder}: cannot be read: {error.strerror or error}") from error
    if not is_folder:
        raise RunError(f"{run / folder}: expected a folder, found a symbolic link or something else")
    return run / folder / found[1]


def read_document(path: Path, format: str) -> dict[str, Any]:
    """A JSON document of one of the formats that this version reads."""
    document = parse(read_plain(path, MAX_DOCUMENT), str(path))
    if document.get("format") != format:
        raise RunError(f"{path}: format is {document.get('format')!r}; this version reads {format}")
    return document


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines. A truncated last line, as after a crash, is ignored."""
    with os.fdopen(open_plain(path, MAX_EPISODES), "rb") as file:
        number = 0
        while line := file.readline(MAX_DOCUMENT + 1):
            number += 1
            if len(line) > MAX_DOCUMENT:
                raise RunError(f"{path}:{number}: the line has more than {MAX_DOCUMENT} bytes")
            if not line.endswith(b"\n"):
                return
            yield parse(line, f"{path}:{number}")


def gzip_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a gzip-compressed file of JSON lines, unpacked up to a limit."""
    unpacker = zlib.decompressobj(wbits=31)
    packed = read_plain(path, MAX_TRAJECTORY)
    try:
        text = unpacker.decompress(packed, MAX_TRAJECTORY + 1)
    except zlib.error as error:
        raise RunError(f"{path}: the gzip file is damaged: {error}") from error
    if len(text) > MAX_TRAJECTORY:
        raise RunError(f"{path}: unpacks to more than {MAX_TRAJECTORY} bytes")
    if not unpacker.eof:
        raise RunError(f"{path}: the gzip file is truncated")
    _check_containers(text, str(path))
    for number, line in enumerate(text.removesuffix(b"\n").split(b"\n"), start=1):
        yield parse(line, f"{path}:{number}")


def _check_containers(text: bytes, where: str) -> None:
    if text.count(b"[") + text.count(b"{") > MAX_CONTAINERS:
        raise RunError(f"{where}: has more than {MAX_CONTAINERS} lists and objects")


def parse(text: bytes, where: str) -> dict[str, Any]:
    _check_containers(text, where)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RunError(f"{where}: not valid JSON: {error}") from error
    if not isinstance(value, dict):
        raise RunError(f"{where}: expected a JSON object, got {type(value).__name__}")
    return value
