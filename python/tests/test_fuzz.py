"""Any frame is read as a message or raises `BadMessage`, and never another error."""

from __future__ import annotations

import json
import os
from typing import Any

import msgpack
import numpy as np
from evaluator import as_json, as_msgpack

from robot_eval_client.codec import decode_frame
from robot_eval_client.errors import BadMessage
from robot_eval_client.messages import GetAction, read_message
from robot_eval_client.observation import readings_from_wire

#: Set FUZZ_FRAMES in the environment for more.
FRAMES = int(os.environ.get("FUZZ_FRAMES", "4000"))

OBSERVATION = {
    "rgb": np.zeros((3, 4, 3), np.uint8),
    "depth": np.ones((3, 4), np.float32),
    "qpos": np.array([1.0, 2.5]),
    "instruction": {"text": "go", "tokens": [1, 2]},
}


def frames() -> list[bytes]:
    seeds: list[bytes] = []
    for message in (
        {"type": "get_action", "session_id": "S", "seq": 3, "step": 1, "task_type": "vln"},
        {"type": "reset_episode", "session_id": "S", "seq": 1, "episode": {"episode_id": "1", "goals": None}},
        {"type": "connect", "role": "evaluator", "protocol_version": "1.0", "capabilities": {"sessions": 4}},
        {"type": "heartbeat", "t": 1.5},
        {"type": "error", "code": "x", "message": "y", "fatal": True},
    ):
        for write, pack in ((as_json, lambda m: json.dumps(m).encode()), (as_msgpack, msgpack.packb)):
            full: dict[str, Any] = dict(message)
            if message["type"] == "get_action":
                full["observation"] = {name: write(value) for name, value in OBSERVATION.items()}
            seeds.append(pack(full))
    return seeds


def mutate(frame: bytes, rng: np.random.Generator) -> bytes:
    bad = bytearray(frame)
    for _ in range(int(rng.integers(1, 5))):
        at = int(rng.integers(0, len(bad) + 1))
        what = int(rng.integers(0, 4))
        if what == 0 and at < len(bad):
            bad[at] = int(rng.integers(0, 256))
        elif what == 1:
            del bad[at : at + int(rng.integers(1, 9))]
        elif what == 2:
            bad[at:at] = rng.bytes(int(rng.integers(1, 9)))
        else:
            bad[at:at] = bad[at // 2 : at // 2 + 16]
    return bytes(bad)


def test_mutated_frames_are_read_or_raise_bad_message() -> None:
    rng = np.random.default_rng(11)
    seeds = frames()
    read = refused = 0
    for i in range(FRAMES):
        frame = mutate(seeds[i % len(seeds)], rng)
        try:
            message = read_message(decode_frame(frame if i % 2 else frame.decode("utf-8", "replace")))
            if isinstance(message, GetAction):
                readings_from_wire(message.observation)
            read += 1
        except BadMessage:
            refused += 1
    assert read + refused == FRAMES and refused > 0
