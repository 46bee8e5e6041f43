"""What a policy that connected to an evaluator knows at the end."""

from __future__ import annotations

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
    #: Means of the metrics, if the evaluator discloses them.
    metrics: dict[str, float]
    #: Where the results are.
    where: str

    def __str__(self) -> str:
        ended = ", ".join(f"{count} {reason}" for reason, count in self.reasons.items())
        count = f"{self.episodes} episode{'' if self.episodes == 1 else 's'}{f' ({ended})' if ended else ''}"
        scores = ", ".join(f"{name} {mean:.3f}" for name, mean in self.metrics.items())
        return f"{count}; {scores or 'the evaluator does not disclose the score'}; {self.where}"


class EndedEpisodes:
    """Counts the episodes that an evaluator ended, over all its connections."""

    def __init__(self) -> None:
        self._reasons: Counter[str] = Counter()
        self._metrics: defaultdict[str, list[float]] = defaultdict(list)
        #: The `server` of the last `connected` message.
        self.evaluator: dict[str, Any] = {}

    def add(self, reason: str, metrics: dict[str, Any]) -> None:
        self._reasons[_printable(reason)] += 1
        for name, value in metrics.items():
            if isinstance(value, (int, float)):
                self._metrics[_printable(name)].append(float(value))

    def summary(self, url: str) -> EvaluationSummary:
        return EvaluationSummary(
            episodes=sum(self._reasons.values()),
            reasons=dict(self._reasons),
            metrics={name: sum(values) / len(values) for name, values in self._metrics.items()},
            where=self._where(url),
        )

    def _where(self, url: str) -> str:
        submission = self.evaluator.get("submission")
        if not isinstance(submission, str):
            return "results are in the evaluator's run directory"
        parts = urlsplit(url)
        scheme = "https" if parts.scheme == "wss" else "http"
        return f"results of the submission {_printable(submission)} are at {scheme}://{parts.netloc.rpartition('@')[2]}/team"


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text[:200])
