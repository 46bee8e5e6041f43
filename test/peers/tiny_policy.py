"""A policy whose action is a hash of its observation's bytes, so that one wrong byte changes it."""

import hashlib
import json

import numpy as np


def digest(observation):
    """SHA-256 over the entries in the order of their keys; entries of nested maps are named `outer.inner`."""
    whole = hashlib.sha256()
    for key, value in sorted(_flat(observation)):
        whole.update(key.encode())
        if isinstance(value, np.ndarray):
            whole.update(f"{value.dtype.str}{list(value.shape)}".encode())
            whole.update(np.ascontiguousarray(value).tobytes())
        elif isinstance(value, str):
            whole.update(value.encode())
        else:
            whole.update(json.dumps(value).encode())
    return whole.digest()


def actions(observation, horizon, size):
    """Actions of shape (horizon, size) from -1/8 to 127/1024, which float32 represents exactly."""
    seed = digest(observation)
    count = horizon * size
    noise = b"".join(hashlib.sha256(seed + bytes([i])).digest() for i in range(count // 32 + 1))
    numbers = np.frombuffer(noise[:count], np.uint8).astype(np.float32)
    return ((numbers - 128) / 1024).reshape(horizon, size)


def known_observation():
    """The fixed observation that each peer's client sends for the recorded frames."""
    pixels = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    return {
        "observation/image": pixels,
        "observation/state": np.array([0.5, -1.25, 3.0]),
        "observation/joint_position": np.array([0.25, 1.5], dtype=np.float32),
        "prompt": "put the cup on the plate",
    }


def _flat(value, prefix=""):
    for key, item in value.items():
        name = f"{prefix}.{key}" if prefix else key
        if isinstance(item, dict):
            yield from _flat(item, name)
        else:
            yield name, item
