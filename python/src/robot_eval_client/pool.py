"""Which policy object serves which session.

- one object: one session at a time, because its memory is of one episode;
- one object with `act_batch`: many sessions, told apart by `session_id`;
- a class or a function that makes objects: an object for each session, used again when the session is over.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, cast

from .errors import PolicyDefinitionError
from .policy import Declaration
from .worker import PolicyWorker

DEFAULT_SESSIONS = 16

_CLOSE_TIMEOUT_S = 3.0


class PolicyPool:
    def __init__(self, policy: object, *, sessions: int | None = None, max_batch: int | None = None) -> None:
        _check_count("sessions", sessions)
        _check_count("max_batch", max_batch)
        self._max_batch = max_batch
        self._make: Callable[[], object] | None = _factory(policy)
        # Made now, before anything listens: it says which sensors it wants, and a model that cannot be loaded is told
        # at once instead of in the first episode.
        first = PolicyWorker(self._make or (lambda: policy), max_batch=max_batch)
        self.declaration: Declaration = first.declaration()
        self._workers = [first]
        self._idle = [first]
        shared = self._make is None
        if shared and not self.declaration.batches and sessions not in (None, 1):
            raise PolicyDefinitionError(
                f"one {self.declaration.name} object serves one session at a time, not {sessions}; "
                f"pass the class instead (an object for each session), or give it `act_batch`"
            )
        self.capacity = 1 if shared and not self.declaration.batches else sessions or DEFAULT_SESSIONS
        self._reserved = 0

    def reserve(self, wanted: int) -> int:
        """How many sessions a new peer gets: 0 when there is no room."""
        granted = max(0, min(wanted, self.capacity - self._reserved))
        self._reserved += granted
        return granted

    def release(self, granted: int) -> None:
        self._reserved -= granted

    def lease(self) -> PolicyWorker:
        if self._make is None:
            return self._workers[0]
        if self._idle:
            return self._idle.pop()
        worker = PolicyWorker(self._make, max_batch=self._max_batch)
        self._workers.append(worker)
        return worker

    def give_back(self, worker: PolicyWorker) -> None:
        if self._make is None:
            return
        if worker.is_broken:
            self._workers.remove(worker)
            worker.stop()
        else:
            self._idle.append(worker)

    def close(self) -> None:
        """Waits for policies to close themselves; one that is still computing is left behind."""
        deadline = time.monotonic() + _CLOSE_TIMEOUT_S
        for worker in self._workers:
            worker.stop()
        for worker in self._workers:
            worker.join(max(0.0, deadline - time.monotonic()))


def _factory(policy: object) -> Callable[[], object] | None:
    """None for an object. A policy object may itself be callable (`torch.nn.Module` is), so `act` decides."""
    if isinstance(policy, type):
        return cast("Callable[[], Any]", policy)
    if hasattr(policy, "act") or hasattr(policy, "act_batch"):
        return None
    if callable(policy):
        return cast("Callable[[], Any]", policy)
    raise PolicyDefinitionError(f"{policy!r} is no policy: pass an object with `act`, a class, or a function that makes one")


def _check_count(name: str, value: int | None) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise PolicyDefinitionError(f"{name} is {value!r}; it must be a whole number from 1 on")
