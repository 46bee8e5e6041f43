"""A policy whose action is a hash of everything it received: one wrong byte changes its actions.

It verifies that nothing is lost or changed between an evaluator and a policy, in either encoding and either direction:
an implementation in another language that follows this specification returns the same actions.

Start of an episode:
    digest = SHA-256 of the episode_id in UTF-8 (32 bytes).
Each step:
    digest = SHA-256 of the last digest (32 bytes), followed by, for every sensor in the order of names:
        name in UTF-8, byte 0x00, value, byte 0x0a
    value is
        an array    its numbers in row-major order, little endian, in their own type (uint8, uint16, float32, float64)
        a number    float64, little endian
        a string    UTF-8
        else        (dictionary, list, boolean, null) JSON in UTF-8 with sorted keys, no spaces and minimal escaping,
                    numbers formatted as in ECMAScript (1, 0.5, 1e-7)
    Minus zero counts as zero in numbers and vectors, because JSON does not keep it.
Action:
    in a space with a vector (`shape`): entry i, with [low, high] its range (one pair for all, or one pair per entry;
    [-1, 1] if there is none) and b = digest[i mod 32]:
        value = low + (high - low) * (b / 255); middle = (low + high) / 2; action[i] = middle + 0.2 * (value - middle)
        (a fifth of the range, to keep the robot's movements small)
    else: of the names in `actions` without "stop", in order, the one at index
        (first four bytes of the digest, big endian) mod (number of names).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
from typing import Any

import numpy as np

from robot_eval_client import Action, Episode, Observation, Policy, connect, serve


class HashPolicy(Policy):
    def reset(self, episode: Episode) -> None:
        self._space = episode.action_space
        self._digest = hashlib.sha256(episode.episode_id.encode()).digest()

    def act(self, observation: Observation) -> Action:
        self._digest = hashlib.sha256(self._digest + canonical_bytes(observation)).digest()
        return action_of(self._digest, self._space)


def canonical_bytes(observation: dict[str, Any]) -> bytes:
    parts: list[bytes] = []
    for name in sorted(observation):
        parts += [name.encode(), b"\x00", _value_bytes(observation[name]), b"\n"]
    return b"".join(parts)


def action_of(digest: bytes, space: dict[str, Any]) -> Action:
    shape = space.get("shape")
    if shape:
        limits = [_limits(space.get("range"), i) for i in range(math.prod(shape))]
        return [_entry(digest[i % 32], low, high) for i, (low, high) in enumerate(limits)]
    names: list[str] = [name for name in space.get("actions") or [] if name != "stop"]
    return names[int.from_bytes(digest[:4], "big") % len(names)]


def _value_bytes(value: Any) -> bytes:
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<")).tobytes()
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return np.array(value + 0.0, dtype="<f8").tobytes()
    return _json(value).encode()


def _json(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{_json(key)}:{_json(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_json(item) for item in value) + "]"
    if isinstance(value, float):
        return ecmascript_number(value)
    return json.dumps(value, ensure_ascii=False)


def ecmascript_number(value: float) -> str:
    """The shortest decimal that parses to the number, formatted as by ECMA-262's Number::toString."""
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, exponent = f"{abs(value)!r}e0".split("e")[:2]
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    # The number is 0.digits times ten to the power of `point`.
    point = int(exponent) + len(whole) if whole != "0" else int(exponent) - (len(fraction) - len(digits))
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        return sign + digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    power = f"{'+' if point > 0 else '-'}{abs(point - 1)}"
    return f"{sign}{digits[0]}{'.' + digits[1:] if len(digits) > 1 else ''}e{power}"


def _limits(ranges: Any, i: int) -> tuple[float, float]:
    if not ranges:
        return -1.0, 1.0
    low, high = ranges[i] if isinstance(ranges[0], (list, tuple)) else ranges
    return low, high


def _entry(byte: int, low: float, high: float) -> float:
    value = low + (high - low) * (byte / 255)
    middle = (low + high) / 2
    return middle + 0.2 * (value - middle)


def main() -> None:
    parser = argparse.ArgumentParser(description="a policy whose actions are hashes of its observations")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--connect", metavar="URL", help="connect to a listening evaluator instead of listening")
    parser.add_argument("--encoding", choices=["msgpack", "json"], help="offer only this encoding")
    parser.add_argument("--sessions", type=int, default=16)
    parser.add_argument("--token")
    options = parser.parse_args()
    encodings = [options.encoding] if options.encoding else ["msgpack", "json"]
    if options.connect:
        connect(HashPolicy, options.connect, sessions=options.sessions, encodings=encodings, token=options.token)
    else:
        serve(
            HashPolicy, options.port, options.host, sessions=options.sessions, encodings=encodings, token=options.token
        )


if __name__ == "__main__":
    main()
