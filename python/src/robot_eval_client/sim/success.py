"""When an environment without a word for it has succeeded."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Union


@dataclass(frozen=True)
class Moment:
    """What is known after a step."""

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
    """`info` is the environment's own word: `info["success"]` or `info["is_success"]`, where it has either."""
    if callable(rule):
        return rule
    if rule == "info":
        return told_success
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


def told_success(moment: Moment) -> bool:
    for name in _NAMES:
        if name in moment.info:
            value = moment.info[name]
            # Some give 0.0 and 1.0, or an array of one.
            return bool(value.item() if hasattr(value, "item") else value)
    return False
