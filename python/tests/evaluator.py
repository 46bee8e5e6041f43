"""A minimal evaluator for tests: a raw WebSocket that sends and receives dictionaries.

It shares no code with the package, so that an error in the package's codec cannot cancel itself out.
"""

from __future__ import annotations

import base64
import io
import json
import struct
import zlib
from types import TracebackType
from typing import Any

import msgpack
import numpy as np
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as open_socket

Json = dict[str, Any]


def png(array: Any, filters: list[int] | None = None) -> bytes:
    """A PNG of a uint8 or uint16 array, with the given filter for each row, as defined in the standard."""
    height, width = array.shape[:2]
    channels = 1 if array.ndim == 2 else array.shape[2]
    depth = 16 if array.dtype == np.uint16 else 8
    rows = array.astype(">u2").view(np.uint8) if depth == 16 else array
    rows = rows.reshape(height, -1).tolist()
    step = channels * depth // 8
    raw = bytearray()
    above = [0] * len(rows[0])
    for y, row in enumerate(rows):
        kind = filters[y] if filters else 0
        raw.append(kind)
        for x, value in enumerate(row):
            a = row[x - step] if x >= step else 0
            b = above[x]
            c = above[x - step] if x >= step else 0
            raw.append((value - _guess(kind, a, b, c)) & 255)
        above = row
    header = struct.pack(">IIBBBBB", width, height, depth, {1: 0, 3: 2, 4: 6}[channels], 0, 0, 0)
    packed = zlib.compress(bytes(raw), 1)
    half = len(packed) // 2
    parts = [(b"IHDR", header), (b"tEXt", b"a\x00b"), (b"IDAT", packed[:half]), (b"IDAT", packed[half:]), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, body) for kind, body in parts)


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _guess(kind: int, a: int, b: int, c: int) -> int:
    if kind == 4:
        p = a + b - c
        return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
    return (0, a, b, (a + b) // 2)[kind]


def npy(array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def as_json(value: Any) -> Any:
    """Encodes a reading in JSON as an evaluator does."""
    if not isinstance(value, np.ndarray):
        return value
    if value.ndim == 1:
        return [int(x) if x == int(x) else float(x) for x in value]
    return b64(npy(value) if value.dtype == np.float32 else png(value))


def as_msgpack(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    return {
        b"__ndarray__": True,
        b"data": value.tobytes(),
        b"dtype": value.dtype.str,
        b"shape": list(value.shape),
    }


class Evaluator:
    """Connects to a policy. `encoding` is the requested encoding; "plain" sends no capabilities and no `seq`."""

    def __init__(self, url: str, encoding: str = "json", **connect: Any) -> None:
        self._opened = open_socket(url, max_size=None, compression=None)
        self.socket: ClientConnection = self._opened.__enter__()
        self.encoding = "json" if encoding == "plain" else encoding
        hello: Json = {"type": "connect", "session_id": "", "role": "evaluator"}
        if encoding != "plain":
            hello |= {"protocol_version": "1.0", "capabilities": {"encodings": [encoding], "sessions": 16}}
        self.send(hello | connect, "json")
        self.connected = self.receive()
        self.id: str = self.connected.get("session_id", "")
        self.seq = 0
        self.numbered = encoding != "plain"

    def send(self, message: Json, encoding: str | None = None) -> None:
        packed = (encoding or self.encoding) == "msgpack"
        self.socket.send(msgpack.packb(message) if packed else json.dumps(message))

    def receive(self, timeout: float = 10) -> Json:
        frame = self.socket.recv(timeout)
        message = json.loads(frame) if isinstance(frame, str) else msgpack.unpackb(frame)
        assert isinstance(message, dict)
        return message

    def request(self, message: Json, session: str | None = None) -> Json:
        """Sends without waiting for the answer; returns the sent message."""
        full = message | {"session_id": session or self.id}
        if self.numbered:
            self.seq += 1
            full["seq"] = self.seq
        self.send(full)
        return full

    def reset(self, session: str | None = None, **episode: Any) -> Json:
        fields = {"episode_id": "e1", "task_type": "vln", "scene_id": "s"} | episode
        self.request({"type": "reset_episode", "episode": fields}, session)
        return self.receive()

    def ask(self, observation: Json | None = None, session: str | None = None, **more: Any) -> Json:
        write = as_msgpack if self.encoding == "msgpack" else as_json
        wire = {name: write(value) for name, value in (observation or {}).items()}
        return self.request({"type": "get_action", "task_type": "vln", "observation": wire} | more, session)

    def act(self, observation: Json | None = None, session: str | None = None, **more: Any) -> Json:
        self.ask(observation, session, **more)
        return self.receive()

    def heartbeat(self) -> None:
        """Waits until the other side has read all earlier messages."""
        self.send({"type": "heartbeat", "session_id": self.id, "t": 77})
        assert self.receive()["re"] == 77

    def cut(self) -> None:
        """Closes the TCP connection without a closing handshake."""
        self.socket.socket.close()

    def __enter__(self) -> Evaluator:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()
