"""Valid and invalid return values of a policy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from robot_eval_client import ActionError, Chunk
from robot_eval_client.actions import batch_results, wire_actions


@pytest.mark.parametrize(
    ("returned", "sent"),
    [
        ("stop", ["stop"]),
        (np.str_("stop"), ["stop"]),
        ([1, 2.5], [[1.0, 2.5]]),
        ((1, 2), [[1.0, 2.0]]),
        ([np.float32(0.5), np.int64(2)], [[0.5, 2.0]]),
        (np.array([1, 2], dtype=np.float32), [[1.0, 2.0]]),
        ({"name": "turn_left"}, [{"name": "turn_left"}]),
        ({"name": "stop", "qpos": [1, 2]}, [{"name": "stop", "qpos": [1.0, 2.0]}]),
        ({"qpos": np.array([0.5])}, [{"qpos": [0.5]}]),
        (np.array([[1, 2], [3, 4]]), [[1.0, 2.0], [3.0, 4.0]]),
        (Chunk(["a", "b"]), ["a", "b"]),
        (Chunk([[1], np.array([2.0]), {"name": "stop"}]), [[1.0], [2.0], {"name": "stop"}]),
    ],
)
def test_valid_return_values_become_actions(returned: Any, sent: list[Any]) -> None:
    assert wire_actions(returned, "P.act", 8) == sent


def test_arrays_of_other_frameworks_become_actions() -> None:
    class Tensor:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.array([1.0, 2.0])

    assert wire_actions(Tensor(), "P.act", 1) == [[1.0, 2.0]]


async def _coroutine() -> str:
    return "stop"


@pytest.mark.parametrize(
    ("returned", "says"),
    [
        (None, r"P\.act returned None.*`return` missing"),
        ("", "empty string"),
        (3.5, "float 3.5"),
        (True, "bool True"),
        (np.float64(1), r"shape \(\)"),
        ([], "empty vector"),
        (np.zeros(0), "empty vector"),
        ([1, float("nan")], "entry 1 is nan"),
        (np.array([np.inf]), "entry 0 is inf"),
        (np.zeros((2, 2, 2)), r"shape \(2, 2, 2\)"),
        (np.array(["a"]), "dtype <U1"),
        (np.array([1j]), "dtype complex"),
        (np.array([None]), "dtype object"),
        (["a", "b"], "entry 0 is str 'a'.*Chunk"),
        ([[1, 2], [3, 4]], "entry 0 is list.*Chunk"),
        ([True], "entry 0 is bool"),
        ({"joints": [1]}, r"\['joints'\]; it must have 'name' or 'qpos'"),
        ({"qpos": "up"}, "must have 'name' or 'qpos'"),
        (Chunk([]), "empty chunk"),
        (np.zeros((0, 7)), "empty chunk"),
        (Chunk([["a"]]), "entry 0 is str"),
        (Chunk([Chunk(["a"])]), "Chunk"),
        (np.zeros((9, 7)), "chunk of 9 actions, but declares action_chunk = 8"),
        (object(), "object"),
    ],
)
def test_invalid_return_values_are_rejected_with_a_reason(returned: Any, says: str) -> None:
    with pytest.raises(ActionError, match=f"(?s){says}"):
        wire_actions(returned, "P.act", 8)


def test_a_coroutine_is_rejected_with_a_hint() -> None:
    with pytest.raises(ActionError, match="not `async def`"):
        wire_actions(_coroutine(), "P.act", 1)


def test_a_batch_must_have_one_entry_per_observation() -> None:
    assert batch_results(["a", "b"], "P.act_batch", 2) == ["a", "b"]
    assert [row.tolist() for row in batch_results(np.eye(2), "P.act_batch", 2)] == [[1, 0], [0, 1]]
    with pytest.raises(ActionError, match="1 actions for 2 observations"):
        batch_results(["a"], "P.act_batch", 2)
    with pytest.raises(ActionError, match="str 'ab'"):
        batch_results("ab", "P.act_batch", 2)
