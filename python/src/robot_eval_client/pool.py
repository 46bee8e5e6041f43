"""Assigns policy objects to sessions.

- one object: one session at a time, because it holds the state of one episode;
- one object with `act_batch`: many sessions, identified by `session_id`;
- a class or a function that creates objects: one object per session, reused when the session is over.
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
    def __init__(
        self, policy: object, *, sessions: int | None = None, max_batch: int | None = None, shares: bool = False
    ) -> None:
        """`shares`: one object may act in several sessions, although it has no `act_batch`."""
        _check_count("sessions", sessions)
        _check_count("max_batch", max_batch)
        self._max_batch = max_batch
        self._make: Callable[[], object] | None = _factory(policy)
        # Created before the server listens, because it declares its sensors, and so that a model that fails to load
        # raises here and not in the first episode.
        first = PolicyWorker(self._make or (lambda: policy), max_batch=max_batch)
        self.declaration: Declaration = first.declaration()
        self._workers = [first]
        self._idle = [first]
        single = self._make is None and not self.declaration.batches and not shares
        if single and sessions not in (None, 1):
            raise PolicyDefinitionError(
                f"one {self.declaration.name} object serves one session at a time, not {sessions}; "
                f"pass the class instead (an object for each session), or give it `act_batch`"
            )
        self.capacity = 1 if single else sessions or DEFAULT_SESSIONS
        self._reserved = 0

    def reserve(self, wanted: int) -> int:
        """Reserves up to `wanted` sessions for a new peer; returns 0 when none is free."""
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
        """Waits for policies to close. One that is still computing after the timeout is abandoned."""
        deadline = time.monotonic() + _CLOSE_TIMEOUT_S
        for worker in self._workers:
            worker.stop()
        for worker in self._workers:
            worker.join(max(0.0, deadline - time.monotonic()))


def _factory(policy: object) -> Callable[[], object] | None:
    """None for a policy object. These may be callable too (`torch.nn.Module` is), so `act` decides."""
    if isinstance(policy, type):
        return cast("Callable[[], Any]", policy)
    if hasattr(policy, "act") or hasattr(policy, "act_batch"):
        return None
    if callable(policy):
        return cast("Callable[[], Any]", policy)
    raise PolicyDefinitionError(f"{policy!r} is not a policy: pass an object with `act`, a class, or a function that returns one")


def _check_count(name: str, value: int | None) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise PolicyDefinitionError(f"{name} is {value!r}; it must be a whole number, 1 or greater")
