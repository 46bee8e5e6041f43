"""LIBERO's tasks and initial states, read without what LIBERO imports for training (PyTorch)."""

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

#: What a pickled array of numbers consists of. Nothing else is made: a pickle can run any code.
_ALLOWED = {
    ("numpy.core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy", "ndarray"),
    ("numpy", "dtype"),
    ("_codecs", "encode"),
}


def libero_root() -> Path:
    """The folder with bddl_files, init_files and assets, of the package that is installed."""
    spec = importlib.util.find_spec("libero.libero")
    if spec is None or not spec.submodule_search_locations:
        raise SimulatorError("LIBERO is not installed: see docs/bridge.md for its set-up")
    return Path(next(iter(spec.submodule_search_locations)))


def settle_paths(root: Path) -> None:
    """LIBERO asks on the terminal where its files are when it is first imported; a server has nobody to answer."""
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


def task_name(root: Path, suite: str, task: object) -> str:
    """A task by its number in the suite's own order, or by its name."""
    tasks = runpy.run_path(str(root / "benchmark" / "libero_suite_task_map.py"))["libero_task_map"]
    names = tasks.get(suite)
    if names is None:
        raise EpisodeError(f"LIBERO has no suite {suite!r}; it has {', '.join(tasks)}")
    if isinstance(task, int) and not isinstance(task, bool) and 0 <= task < len(names):
        return str(names[task])
    if isinstance(task, str) and task in names:
        return task
    raise EpisodeError(f"{suite} has no task {task!r}; it has 0 to {len(names) - 1}, or their names")


def sentence(name: str) -> str:
    """What policies are told, which LIBERO takes from the file's name: not the same as the sentence in the file."""
    return re.sub(r"^[A-Z_]+SCENE\d+_", "", name).replace("_", " ")


def initial_states(root: Path, suite: str, name: str) -> npt.NDArray[np.float64]:
    """One row for each of the task's fixed initial states: what MuJoCo's state is set to."""
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
            raise pickle.UnpicklingError(f"it holds {module}.{name}, and should hold numbers alone")
        return cast(Any, super().find_class(module, name))
