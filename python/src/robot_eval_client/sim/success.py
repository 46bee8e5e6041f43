"""Rules that decide when a Gymnasium environment has succeeded."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Union


@dataclass(frozen=True)
class Moment:
    """The result of a step, as success rules receive it."""

    reward: float
    #: The sum of rewards since reset.
    total: float
    terminated: bool
    truncated: bool
    info: Mapping[str, Any]


#: "info" | "terminated" | "truncated" | "reward>=X" | "return>=X", or a function.
Rule = Union[str, Callable[[Moment], bool]]

_NAMES = ("success", "is_success")
_THRESHOLD = re.compile(r"(reward|return)\s*>=\s*([-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)")


def success_rule(rule: Rule) -> Callable[[Moment], bool]:
    """The rule `info` uses the environment's `info["success"]` or `info["is_success"]`."""
    if callable(rule):
        return rule
    if rule == "info":
        return reported_success
    if rule == "terminated":
        return lambda moment: moment.terminated
    if rule == "truncated":
        return lambda moment: moment.truncated and not moment.terminated
    threshold = _THRESHOLD.fullmatch(rule.strip())
    if threshold is None:
        raise ValueError(f"success is {rule!r}; it must be info, terminated, truncated, reward>=X or return>=X")
    least = float(threshold[2])
    if threshold[1] == "reward":
        return lambda moment: moment.reward >= least
    return lambda moment: moment.total >= least


def reported_success(moment: Moment) -> bool:
    for name in _NAMES:
        if name in moment.info:
            value = moment.info[name]
            # Some environments give 0.0 and 1.0, or an array of length 1.
            return bool(value.item() if hasattr(value, "item") else value)
    return False
