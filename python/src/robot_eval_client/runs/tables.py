"""The documents of a run as rows of tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Row = dict[str, Any]


def episode_row(line: Mapping[str, Any]) -> Row:
    """A line of episodes.jsonl, with its metrics, latencies and error as columns, as `robot-eval export` names them."""
    row = {key: value for key, value in line.items() if not isinstance(value, dict)}
    latency = _dict(line.get("agent_latency_ms"))
    error = _dict(line.get("error"))
    row.pop("agent_latency_ms", None)
    row.update(
        agent_latency_p50_ms=latency.get("p50"),
        agent_latency_p95_ms=latency.get("p95"),
        agent_latency_p99_ms=latency.get("p99"),
        agent_answers=latency.get("n"),
        error_code=error.get("code"),
        error_message=error.get("message"),
    )
    for name, value in _dict(line.get("metrics")).items():
        row[f"metric_{name}" if name in row else name] = value
    return row


def step_row(line: Mapping[str, Any], record: Mapping[str, Any]) -> Row:
    """A step record: its episode, the action, and the fields of the state as columns."""
    return {
        **{key: line.get(key) for key in ("episode_key", "repeat", "task")},
        "step": record.get("step"),
        "time_s": record.get("time_s"),
        "action": record.get("action"),
        **{f"state_{key}" if key in _FIXED else key: value for key, value in _dict(record.get("state")).items()},
    }


_FIXED = ("episode_key", "repeat", "task", "step", "time_s", "action")

_VALUES = ("mean", "std", "min", "max", "count", "n_invalid", "ci_method", "unit", "direction")


def summary_rows(summary: Mapping[str, Any]) -> Iterator[Row]:
    """A row for each task and metric; `task` is None for a metric over all tasks."""
    primary = _dict(summary.get("primary_metrics"))
    tables: list[tuple[str | None, Any]] = [*_dict(summary.get("per_task")).items()]
    for task, table in [*tables, (None, summary.get("aggregated_metrics"))]:
        for metric, found in _dict(table).items():
            values = _dict(found)
            interval = values.get("ci95")
            low, high = interval if isinstance(interval, list) and len(interval) == 2 else (None, None)
            yield {
                "task": task,
                "metric": metric,
                "primary": primary.get(task) == metric if task is not None else metric in primary.values(),
                **{name: values.get(name) for name in _VALUES},
                "ci95_low": low,
                "ci95_high": high,
            }


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
