"""Reads LIBERO's tasks and initial states without importing PyTorch, which LIBERO uses for training."""

from __future__ import annotations

import importlib.util
import io
import os
import pickle
import re
import runpy
import tempfile
import zipfile
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from ..errors import EpisodeError, SimulatorError

#: The globals of a pickled array of numbers. All others are rejected, because a pickle can run any code.
_ALLOWED = {
    ("numpy.core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy", "ndarray"),
    ("numpy", "dtype"),
    ("_codecs", "encode"),
}


def libero_root() -> Path:
    """The folder of the installed package with bddl_files, init_files and assets."""
    spec = importlib.util.find_spec("libero.libero")
    if spec is None or not spec.submodule_search_locations:
        raise SimulatorError("LIBERO is not installed; see docs/bridge.md for installation")
    return Path(next(iter(spec.submodule_search_locations)))


def write_default_config(root: Path) -> None:
    """Writes LIBERO's config file if it is missing; otherwise the first import would prompt on the terminal."""
    folder = Path(os.environ.get("LIBERO_CONFIG_PATH", Path.home() / ".libero"))
    if (folder / "config.yaml").exists():
        return
    folder = Path(tempfile.mkdtemp(prefix="robot-eval-libero-"))
    paths = {
        "benchmark_root": root,
        "bddl_files": root / "bddl_files",
        "init_states": root / "init_files",
        "datasets": root.parent / "datasets",
        "assets": root / "assets",
    }
    (folder / "config.yaml").write_text("".join(f"{name}: {path}\n" for name, path in paths.items()))
    os.environ["LIBERO_CONFIG_PATH"] = str(folder)


def suite_tasks(root: Path, suite: str) -> list[str]:
    """The names of a suite's tasks, in their order."""
    tasks = runpy.run_path(str(root / "benchmark" / "libero_suite_task_map.py"))["libero_task_map"]
    if suite not in tasks:
        raise EpisodeError(f"LIBERO has no suite {suite!r}; use one of {', '.join(tasks)}")
    return [str(name) for name in tasks[suite]]


def task_name(root: Path, suite: str, task: object) -> str:
    """A task by its index in the suite, or by its name."""
    names = suite_tasks(root, suite)
    if isinstance(task, int) and not isinstance(task, bool) and 0 <= task < len(names):
        return str(names[task])
    if isinstance(task, str) and task in names:
        return task
    raise EpisodeError(f"{suite} has no task {task!r}; use 0 to {len(names) - 1}, or a task's name")


def sentence(name: str) -> str:
    """The instruction for policies, which LIBERO takes from the file name. It can differ from that in the file."""
    return re.sub(r"^[A-Z_]+SCENE\d+_", "", name).replace("_", " ")


def initial_states(root: Path, suite: str, name: str) -> npt.NDArray[np.float64]:
    """The MuJoCo states of the task's fixed initial states, one per row."""
    path = root / "init_files" / suite / f"{name}.pruned_init"
    try:
        with zipfile.ZipFile(path) as archive:
            member = next(entry for entry in archive.namelist() if entry.endswith("data.pkl"))
            states = _Arrays(io.BytesIO(archive.read(member))).load()
    except (OSError, zipfile.BadZipFile, StopIteration, pickle.UnpicklingError) as error:
        raise EpisodeError(f"the initial states of {name} cannot be read: {error}") from error
    return np.asarray(states, dtype=np.float64)


class _Arrays(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED:
            raise pickle.UnpicklingError(f"it contains {module}.{name}; only arrays of numbers are allowed")
        return cast(Any, super().find_class(module, name))
