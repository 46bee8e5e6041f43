"""Runs one policy object in its own thread.

All calls of one object are made in its thread, because CUDA contexts and PyTorch's modes belong to a thread, and slow
inference must not block the event loop. The thread is a daemon, so that a policy that never returns cannot keep the
process from exiting.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .actions import batch_results, wire_actions
from .episode import Episode
from .observation import Observation
from .policy import Declaration, declaration_of

_log = logging.getLogger("robot_eval_client")

# A batch waits for missing sessions for up to a quarter of the last batch's duration. At worst this lengthens the loop
# by a quarter, at best it halves the number of batches. Without it, the first observation to arrive would always be
# processed alone.
_WAIT_SHARE = 0.25
_LONGEST_WAIT_S = 0.05


@dataclass(frozen=True)
class Outcome:
    """The result of a call: `value`, or the policy's exception."""

    value: Any = None
    error: BaseException | None = None
    infer_ms: float = 0.0


@dataclass(frozen=True)
class _Job:
    session: object
    argument: Episode | Observation
    done: Callable[[Outcome], None]


class PolicyWorker:
    """Calls one policy object, one call at a time, in the order of arrival within each session."""

    def __init__(self, make: Callable[[], object], *, max_batch: int | None = None) -> None:
        self._make = make
        self._max_batch = max_batch
        self._jobs: list[_Job] = []
        self._in_episode: set[object] = set()
        self._changed = threading.Condition()
        self._closing = False
        self._built = threading.Event()
        self._policy: object = None
        self._declaration: Declaration | None = None
        self._failure: BaseException | None = None
        self._batch_cost_s = 0.0
        self._thread = threading.Thread(target=self._run, name="robot-eval-policy", daemon=True)
        self._thread.start()

    def declaration(self) -> Declaration:
        """Waits until the object is created. Raises the exception of its constructor."""
        self._built.wait()
        if self._failure is not None:
            raise self._failure
        assert self._declaration is not None
        return self._declaration

    @property
    def is_broken(self) -> bool:
        """Whether creating the object failed."""
        return self._failure is not None

    def reset(self, session: object, episode: Episode, done: Callable[[Outcome], None]) -> None:
        with self._changed:
            self._in_episode.add(session)
            self._jobs.append(_Job(session, episode, done))
            self._changed.notify()

    def act(self, session: object, observation: Observation, done: Callable[[Outcome], None]) -> None:
        with self._changed:
            self._jobs.append(_Job(session, observation, done))
            self._changed.notify()

    def leave(self, session: object) -> None:
        """The session's episode is over: batches no longer wait for it."""
        with self._changed:
            self._in_episode.discard(session)
            self._changed.notify()

    def forget(self, session: object) -> None:
        """The session is closed: its pending jobs are discarded."""
        with self._changed:
            self._jobs = [job for job in self._jobs if job.session is not session]
            self._in_episode.discard(session)
            self._changed.notify()

    def stop(self) -> None:
        """Closes the policy after the current call."""
        with self._changed:
            self._closing = True
            self._jobs.clear()
            self._changed.notify()

    def join(self, timeout: float) -> None:
        self._thread.join(timeout)

    def _run(self) -> None:
        try:
            self._policy = self._make()
            self._declaration = declaration_of(self._policy)
        except BaseException as error:
            self._failure = error
        self._built.set()
        while True:
            jobs = self._next_jobs()
            if not jobs:
                break
            self._do(jobs)
        self._close_policy()

    def _next_jobs(self) -> list[_Job]:
        """A reset, or the observations of the next batch; an empty list when stopping."""
        with self._changed:
            while not self._jobs and not self._closing:
                self._changed.wait()
            deadline = time.monotonic() + min(self._batch_cost_s * _WAIT_SHARE, _LONGEST_WAIT_S)
            while not self._closing:
                ready = self._heads()
                resets = [job for job in ready if isinstance(job.argument, Episode)]
                if resets:
                    return self._take(resets[:1])
                if ready and self._is_full(len(ready)):
                    return self._take(ready[: self._most()])
                left = deadline - time.monotonic()
                if ready and left <= 0:
                    return self._take(ready[: self._most()])
                self._changed.wait(left if ready else None)
            return []

    def _heads(self) -> list[_Job]:
        """The oldest job of each session, so that a batch has one job per session and no act precedes its reset."""
        seen: set[object] = set()
        heads: list[_Job] = []
        for job in self._jobs:
            if job.session not in seen:
                seen.add(job.session)
                heads.append(job)
        return heads

    def _most(self) -> int:
        if self._declaration is None or not self._declaration.batches:
            return 1
        return self._max_batch if self._max_batch is not None else len(self._jobs)

    def _is_full(self, count: int) -> bool:
        if self._declaration is None or not self._declaration.batches:
            return True
        return count >= len(self._in_episode) or (self._max_batch is not None and count >= self._max_batch)

    def _take(self, jobs: list[_Job]) -> list[_Job]:
        taken = {id(job) for job in jobs}
        self._jobs = [job for job in self._jobs if id(job) not in taken]
        return jobs

    def _do(self, jobs: list[_Job]) -> None:
        begin = time.perf_counter()
        try:
            if self._failure is not None:
                raise self._failure
            results = self._call(jobs)
            cost_s = time.perf_counter() - begin
            outcomes = [Outcome(value, infer_ms=cost_s * 1000) for value in results]
        # Includes SystemExit: a policy that calls exit() fails its episode and must not end the thread silently.
        except BaseException as error:
            cost_s = time.perf_counter() - begin
            self._report(jobs, error)
            outcomes = [Outcome(error=error, infer_ms=cost_s * 1000)] * len(jobs)
        if isinstance(jobs[0].argument, Observation):
            self._batch_cost_s = cost_s
        for job, outcome in zip(jobs, outcomes):
            job.done(outcome)

    def _call(self, jobs: list[_Job]) -> list[Any]:
        policy: Any = self._policy
        declaration = self._declaration
        assert declaration is not None
        first = jobs[0].argument
        if isinstance(first, Episode):
            reset = getattr(policy, "reset", None)
            if reset is not None:
                reset(first)
            return [None]
        if declaration.batches:
            where = f"{declaration.name}.act_batch"
            returned = policy.act_batch([job.argument for job in jobs])
            results = batch_results(returned, where, len(jobs))
        else:
            where = f"{declaration.name}.act"
            results = [policy.act(first)]
        return [wire_actions(result, where, declaration.action_chunk) for result in results]

    def _report(self, jobs: list[_Job], error: BaseException) -> None:
        first = jobs[0].argument
        if isinstance(first, Episode):
            call = f"reset for episode {first.episode_id}"
        else:
            call = f"act in episode {first.episode.episode_id}, step {first.step}"
        others = f" and {len(jobs) - 1} more of its batch" if len(jobs) > 1 else ""
        _log.error("the policy failed: %s%s", call, others, exc_info=error)

    def _close_policy(self) -> None:
        close = getattr(self._policy, "close", None)
        if callable(close):
            try:
                close()
            except Exception:
                _log.exception("the policy failed: close")
