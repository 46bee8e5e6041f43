"""Observations are equal in both encodings, and damaged ones are reported."""

from __future__ import annotations

import json
import pickle
from typing import Any

import msgpack
import numpy as np
import pytest
from evaluator import as_json, as_msgpack, b64, npy

from robot_eval_client import Observation
from robot_eval_client.codec import decode_frame, encode_frame
from robot_eval_client.errors import BadMessage
from robot_eval_client.observation import readings_from_wire

rng = np.random.default_rng(7)

READINGS = {
    "rgb": rng.integers(0, 256, (6, 8, 3), dtype=np.uint8),
    "depth": rng.random((6, 8), dtype=np.float32),
    "semantic": rng.integers(0, 65536, (6, 8), dtype=np.uint16),
    "gps": np.array([0.1, -2.5, 3.0]),
    "compass": np.array([0.0]),
    "heading": 1,
    "objectgoal": "chair",
    "instruction": {"text": "Geh zum Stuhl, dann stöpp", "tokens": [1, 2, 3]},
    "neighbours": [{"id": "a", "heading": 0.5}],
    "door_open": True,
    "nothing": None,
}


def through(encoding: str, readings: dict[str, Any]) -> dict[str, Any]:
    if encoding == "json":
        frame: str | bytes = json.dumps({k: as_json(v) for k, v in readings.items()})
    else:
        frame = msgpack.packb({k: as_msgpack(v) for k, v in readings.items()})
    return readings_from_wire(decode_frame(frame))


@pytest.mark.parametrize("encoding", ["json", "msgpack"])
def test_readings_arrive_unchanged(encoding: str) -> None:
    seen = through(encoding, READINGS)
    for name in ("rgb", "depth", "semantic", "gps", "compass"):
        sent = READINGS[name]
        assert isinstance(sent, np.ndarray)
        assert seen[name].dtype == sent.dtype
        assert seen[name].flags.writeable and seen[name].flags.c_contiguous
        np.testing.assert_array_equal(seen[name], sent)
    assert isinstance(seen["heading"], float) and seen["heading"] == 1.0
    for name in ("objectgoal", "instruction", "neighbours", "nothing"):
        assert seen[name] == READINGS[name]
    assert seen["door_open"] is True


def test_both_encodings_give_the_same_bytes() -> None:
    awkward = {"v": np.array([-0.0, 1e-320, 1e308, 0.1]), "i": np.array([3, 4], dtype=np.int32), "empty": np.zeros(0)}
    for name, a in through("json", awkward).items():
        b = through("msgpack", awkward)[name]
        assert a.dtype == b.dtype == np.float64
        assert a.tobytes() == b.tobytes()


def test_arrays_inside_dictionaries_become_lists_as_in_json() -> None:
    wire = {"object_poses": {"cup": as_msgpack(np.array([1.5, 2.0]))}}
    assert readings_from_wire(decode_frame(msgpack.packb(wire))) == {"object_poses": {"cup": [1.5, 2.0]}}


def test_text_keys_and_scalars_of_other_encoders_are_read() -> None:
    array = {"__ndarray__": True, "data": b"\x01\x02", "dtype": "|u1", "shape": [2]}
    scalar = {b"__npgeneric__": True, b"data": 2.5, b"dtype": "<f4"}
    seen = readings_from_wire(decode_frame(msgpack.packb({"v": array, "s": scalar})))
    np.testing.assert_array_equal(seen["v"], [1.0, 2.0])
    assert seen["s"] == 2.5


def test_an_array_is_encoded_byte_for_byte_as_by_openpi() -> None:
    frame = encode_frame({"a": np.array([1, 2], dtype=np.float32)}, "msgpack")
    expected = (
        b"\x81\xa1a"
        b"\x84\xc4\x0b__ndarray__\xc3\xc4\x04data\xc4\x08\x00\x00\x80\x3f\x00\x00\x00\x40"
        b"\xc4\x05dtype\xa3<f4\xc4\x05shape\x91\x02"
    )
    assert frame == expected


@pytest.mark.parametrize("dtype", ["|O", "|V8", "<c8", "<U4", "|S3", "<M8[s]", "f4,f4", "(9,)<f4", "<f16", "<i3", "", 5, None])
def test_non_numeric_dtypes_are_rejected(dtype: object) -> None:
    array = {b"__ndarray__": True, b"data": bytes(8), b"dtype": dtype, b"shape": [1]}
    with pytest.raises(BadMessage, match="dtype"):
        decode_frame(msgpack.packb({"v": array}))


@pytest.mark.parametrize(
    ("shape", "size"),
    [([3], 8), ([2, 2], 12), ([-1], 4), ([1 << 40, 0], 0), ([True], 4), ("1", 4), ([1] * 9, 4), (None, 4), ([1.0], 4)],
)
def test_shapes_that_do_not_match_the_data_are_rejected(shape: object, size: int) -> None:
    array = {b"__ndarray__": True, b"data": bytes(size), b"dtype": "<f4", b"shape": shape}
    with pytest.raises(BadMessage, match="shape"):
        decode_frame(msgpack.packb({"v": array}))


def test_pickled_data_is_never_loaded() -> None:
    objects = npy(np.zeros(1))[:10] + b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }".ljust(118) + pickle.dumps([1])
    with pytest.raises(BadMessage, match="npy"):
        readings_from_wire({"depth": b64(objects)})
    with pytest.raises(BadMessage, match="extension"):
        decode_frame(msgpack.packb({"v": msgpack.ExtType(1, pickle.dumps([1]))}))


def test_npy_of_fortran_order_and_big_endian_is_normalised() -> None:
    array = np.asfortranarray(np.arange(6, dtype=">f4").reshape(2, 3))
    seen = readings_from_wire({"depth": b64(npy(array))})["depth"]
    assert seen.dtype == np.dtype("f4") and seen.flags.c_contiguous
    np.testing.assert_array_equal(seen, array)


@pytest.mark.parametrize(
    "text", ["iVBORw0KGgo", "iVBORw0KGgo!!!!", "k05VTVBZ", "k05VTVBZAQB2AA==", "/9j/4AAQ", b64(npy(np.zeros(2, complex)))]
)
def test_a_damaged_image_is_reported_with_its_sensor(text: str) -> None:
    with pytest.raises(BadMessage, match="observation.rgb"):
        readings_from_wire({"rgb": text})


@pytest.mark.parametrize("frame", ["", "[1]", "nul", '{"a": NaN}', "[" * 100000, b"", b"\xc1", b"\x93\x01", b"\x81" * 5000])
def test_an_invalid_frame_raises_bad_message(frame: str | bytes) -> None:
    with pytest.raises(BadMessage):
        decode_frame(frame)


def test_a_missing_sensor_error_lists_the_available_ones() -> None:
    with pytest.raises(KeyError, match="no sensor 'depth'.*rgb, gps"):
        Observation({"rgb": 1, "gps": 2})["depth"]
