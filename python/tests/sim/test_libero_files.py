"""Reading LIBERO's files without LIBERO installed."""

from __future__ import annotations

import os
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest

from robot_eval_client.sim import EpisodeError
from robot_eval_client.sim.adapters.libero_files import initial_states, sentence, task_name
from robot_eval_client.sim.choice import chosen_task, key_of


def write(root: Path, value: object) -> None:
    folder = root / "init_files" / "suite"
    folder.mkdir(parents=True)
    with zipfile.ZipFile(folder / "put_it_away.pruned_init", "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps(value, protocol=2))


def test_initial_states_are_read_from_a_pickled_array(tmp_path: Path) -> None:
    states = np.arange(12.0).reshape(4, 3)
    write(tmp_path, states)
    np.testing.assert_array_equal(initial_states(tmp_path, "suite", "put_it_away"), states)


def test_a_pickle_that_would_run_code_is_rejected(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return (os.mkdir, (str(tmp_path / "sprung"),))

    write(tmp_path, Trap())
    with pytest.raises(EpisodeError, match="mkdir"):
        initial_states(tmp_path, "suite", "put_it_away")
    assert not (tmp_path / "sprung").exists()


def test_tasks_are_selected_by_index_or_by_name(tmp_path: Path) -> None:
    (tmp_path / "benchmark").mkdir()
    (tmp_path / "benchmark" / "libero_suite_task_map.py").write_text('libero_task_map = {"s": ["open_it", "close_it"]}')
    assert task_name(tmp_path, "s", 1) == task_name(tmp_path, "s", "close_it") == "close_it"
    for suite, task in (("s", 2), ("s", "break_it"), ("s", True), ("other", 0)):
        with pytest.raises(EpisodeError):
            task_name(tmp_path, suite, task)


def test_the_instruction_is_taken_from_the_file_name() -> None:
    assert sentence("pick_up_the_black_bowl") == "pick up the black bowl"
    assert sentence("KITCHEN_SCENE10_close_the_drawer") == "close the drawer"


def test_another_initial_state_uses_the_same_environment() -> None:
    one, two = ({"task_config": {"env": {"name": "s", "init_state": i}}} for i in (1, 2))
    assert key_of(chosen_task({}, one)) == key_of(chosen_task({}, two))
    assert key_of(chosen_task({}, one)) != key_of(chosen_task({"config": {"env": "other"}}))
