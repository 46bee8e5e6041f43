"""What a policy that connected to an evaluator knows at the end."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True)
class EvaluationSummary:
    """The result of `connect`."""

    episodes: int
    #: Number of episodes by the reason of their end.
    reasons: dict[str, int]
    #: Means of the metrics; empty if the evaluator does not send them.
    metrics: dict[str, float]
    #: Where the results are.
    where: str

    def __str__(self) -> str:
        ended = ", ".join(f"{count} {reason}" for reason, count in self.reasons.items())
        count = f"{self.episodes} episode{'' if self.episodes == 1 else 's'}{f' ({ended})' if ended else ''}"
        scores = ", ".join(f"{name} {mean:.3f}" for name, mean in self.metrics.items())
        return f"{count}; {scores or 'the evaluator does not send the score'}; {self.where}"


class EndedEpisodes:
    """Counts the episodes that an evaluator ended, over all its connections."""

    def __init__(self) -> None:
        self._reasons: Counter[str] = Counter()
        self._metrics: defaultdict[str, list[float]] = defaultdict(list)
        self._totals: dict[str, float] = {}
        #: The `server` of the last `connected` message.
        self.evaluator: dict[str, Any] = {}

    def add(self, reason: str, metrics: dict[str, Any]) -> None:
        self._reasons[_printable(reason)] += 1
        for name, value in _numbers(metrics).items():
            self._metrics[name].append(value)

    def end(self, metrics: dict[str, Any]) -> None:
        """The evaluator's own means replace those of the episodes: an episode may have been retried or be invalid."""
        self._totals = _numbers(metrics)

    def summary(self, url: str) -> EvaluationSummary:
        return EvaluationSummary(
            episodes=sum(self._reasons.values()),
            reasons=dict(self._reasons),
            metrics=self._totals or {name: sum(values) / len(values) for name, values in self._metrics.items()},
            where=self._where(url),
        )

    def _where(self, url: str) -> str:
        submission = self.evaluator.get("submission")
        if not isinstance(submission, str):
            return "the results are in the evaluator's run directory"
        parts = urlsplit(url)
        scheme = "https" if parts.scheme == "wss" else "http"
        return f"the results of submission {_printable(submission)} are at {scheme}://{parts.netloc.rpartition('@')[2]}/team"


def _numbers(metrics: dict[str, Any]) -> dict[str, float]:
    return {
        _printable(str(name)): float(value)
        for name, value in metrics.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    }


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text[:200])
