"""A run directory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import RunError
from .files import file_in, json_lines, read_document
from .film import Frame, read_film
from .tables import Row, episode_row, step_row, summary_rows
from .trajectory import Trajectory, read_trajectory

if TYPE_CHECKING:
    import pandas


def load(path: str | PathLike[str]) -> Run:
    """Opens a run directory. Its files are read when they are asked for."""
    return Run(Path(path))


class Run:
    """A run directory: tables as pandas DataFrames, trajectories as NumPy arrays, and films.

    `episodes`, `steps` and `summary` need pandas. `episode_rows`, `step_rows` and `summary_rows` give the same rows as
    dictionaries without it.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_dir():
            raise RunError(f"{path}: no such run directory")
        self.path = path
        #: The content of run.json.
        self.info: Mapping[str, Any] = read_document(path / "run.json", "robot-eval-run/1")

    def __repr__(self) -> str:
        return f"<Run {self.info.get('run_id')} of {self.info.get('agent')}, {self.info.get('status')}>"

    @cached_property
    def lines(self) -> list[Mapping[str, Any]]:
        """The lines of episodes.jsonl, unchanged."""
        return list(json_lines(self.path / "episodes.jsonl"))

    def episode_rows(self) -> list[Row]:
        """One dictionary for each episode, with its metrics as keys."""
        return [episode_row(line) for line in self.lines]

    @cached_property
    def episodes(self) -> pandas.DataFrame:
        """One row for each episode, with its metrics as columns."""
        return _frame(self.episode_rows())

    def summary_rows(self) -> list[Row]:
        """One dictionary for each task and metric."""
        return list(summary_rows(read_document(self.path / "summary.json", "robot-eval-summary/1")))

    @cached_property
    def summary(self) -> pandas.DataFrame:
        """One row for each task and metric: mean, interval, count. `task` is missing for a metric over all tasks."""
        return _frame(self.summary_rows())

    def step_rows(self, episode: str | None = None, repeat: int | None = None) -> Iterator[Row]:
        """The steps of one episode or of all, one dictionary at a time. Episodes without a trajectory have none."""
        lines = self.lines if episode is None else [self.line(episode, repeat or 0)]
        for line in lines:
            if episode is None and (line.get("trajectory") is None or repeat not in (None, line.get("repeat"))):
                continue
            for record in self._trajectory(line).records:
                yield step_row(line, record)

    def steps(self, episode: str | None = None, repeat: int | None = None) -> pandas.DataFrame:
        """The steps of one episode or of all, one row for each. All steps of a large run may not fit into memory."""
        return _frame(list(self.step_rows(episode, repeat)))

    def trajectory(self, episode: str, repeat: int = 0) -> Trajectory:
        """The steps of an episode, with its states as NumPy arrays."""
        return self._trajectory(self.line(episode, repeat))

    def frames(self, episode: str, repeat: int = 0) -> Iterator[Frame]:
        """The frames of an episode's film, uint8 (H, W, 3), one at a time."""
        line = self.line(episode, repeat)
        if line.get("video") is None:
            raise RunError(
                f"{self.path}: {episode} has no film; run the benchmark with `--set output.video=all`, or make one "
                "with `robot-eval film` and open it with runs.read_film"
            )
        return read_film(file_in(self.path, "videos", line["video"]))

    def line(self, episode: str, repeat: int = 0) -> Mapping[str, Any]:
        """The line of an episode, by its key or by an id that only one episode has."""
        of_repeat = [line for line in self.lines if line.get("repeat") == repeat]
        found = [line for line in of_repeat if line.get("episode_key") == episode] or [
            line for line in of_repeat if line.get("episode_id") == episode
        ]
        if len(found) == 1:
            return found[0]
        if found:
            keys = ", ".join(str(line.get("episode_key")) for line in found[:3])
            raise RunError(f"{self.path}: several episodes have the id {episode!r}; use a key: {keys}, ...")
        known = ", ".join(str(line.get("episode_key")) for line in of_repeat[:3])
        raise RunError(f"{self.path}: no episode {episode!r} with repeat {repeat}; there is {known or 'none'}, ...")

    def _trajectory(self, line: Mapping[str, Any]) -> Trajectory:
        name = line.get("trajectory")
        if name is None:
            raise RunError(
                f"{self.path}: {line.get('episode_key')} has no trajectory; run the benchmark again with "
                "`output.save_trajectories: true`"
            )
        return read_trajectory(file_in(self.path, "trajectories", name))


def _frame(rows: list[Row]) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError as error:
        raise RunError(
            "tables need pandas: pip install 'robot-eval-client[runs]'; "
            "or use episode_rows(), step_rows() and summary_rows(), which give dictionaries"
        ) from error
    return pandas.DataFrame(rows)
