"""A session: a sequence of episodes. Each request is processed once, even if it is sent several times.

After a lost connection, neither side knows which messages arrived. The evaluator sends unanswered requests again with
the same `seq`, and the session keeps its last answer. So no action is computed or executed twice.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from .episode import Episode
from .errors import BadMessage
from .messages import GetAction, ResetEpisode, action_message, episode_ready_message, error_message
from .observation import Observation, readings_from_wire
from .worker import Outcome, PolicyWorker

# An evaluator waits for its answer before it sends the next request, or gives up and resets. More is a flood.
_MAX_UNANSWERED = 4


class Session:
    def __init__(
        self,
        session_id: str,
        worker: PolicyWorker,
        max_actions: int,
        send: Callable[[dict[str, Any]], None],
    ) -> None:
        self.session_id = session_id
        self.worker = worker
        self._max_actions = max_actions
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._episode: Episode | None = None
        self._steps = 0
        # The rest of a chunk that is longer than the evaluator accepts in one reply.
        self._pending_actions: deque[Any] = deque()
        self._unanswered: list[int | None] = []
        self._answered: int | None = None
        self._answer: dict[str, Any] | None = None
        self._closed = False

    def reset(self, message: ResetEpisode) -> None:
        if self._is_repeated(message.seq):
            return
        self._admit(message.seq)
        episode = Episode(message.episode, self.session_id)
        self._episode = episode
        self._steps = 0
        self._pending_actions.clear()
        self._unanswered.append(message.seq)
        self.worker.reset(self, episode, self._in_loop(lambda outcome: self._on_reset(message.seq, episode, outcome)))

    def act(self, message: GetAction) -> None:
        if self._is_repeated(message.seq):
            return
        self._admit(message.seq)
        episode = self._episode
        if episode is None:
            raise BadMessage("get_action without an episode: send reset_episode first", "no_episode", message.seq)
        try:
            readings = readings_from_wire(message.observation)
        except BadMessage as error:
            error.re_seq = message.seq
            raise
        step = self._steps if message.step is None else message.step
        self._steps = step + 1
        self._unanswered.append(message.seq)
        if self._pending_actions:
            self._reply_action(message.seq, 0.0)
            return
        observation = Observation(
            readings,
            step=step,
            task_type=message.task_type or episode.task_type,
            episode=episode,
            session_id=self.session_id,
        )
        self.worker.act(self, observation, self._in_loop(lambda outcome: self._on_act(message.seq, episode, outcome)))

    def end(self) -> None:
        self._episode = None
        self._pending_actions.clear()
        self.worker.leave(self)

    def close(self) -> None:
        self._closed = True
        self.worker.forget(self)

    def _is_repeated(self, seq: int | None) -> bool:
        """Sends the stored answer again. A request that is still being computed is answered when it is done."""
        if seq is None:
            return False
        if seq == self._answered and self._answer is not None:
            self._send(self._answer)
            return True
        return seq in self._unanswered

    def _admit(self, seq: int | None) -> None:
        if seq is not None and self._answered is not None and seq < self._answered:
            raise BadMessage(f"request {seq} is older than the last answered request {self._answered}", "stale_seq", seq)
        if len(self._unanswered) >= _MAX_UNANSWERED:
            raise BadMessage(
                f"{len(self._unanswered)} requests of this session are unanswered; wait for an answer",
                "too_many_requests",
                seq,
            )

    def _on_reset(self, seq: int | None, episode: Episode, outcome: Outcome) -> None:
        if outcome.error is not None:
            if self._episode is episode:
                self.end()
            self._reply(seq, self._policy_error(seq, outcome.error))
            return
        self._reply(seq, episode_ready_message(self.session_id, episode.get("episode_id", ""), seq))

    def _on_act(self, seq: int | None, episode: Episode, outcome: Outcome) -> None:
        if outcome.error is not None:
            self._reply(seq, self._policy_error(seq, outcome.error))
            return
        if self._episode is not episode:
            # The evaluator has reset or ended the episode in the meantime, so the action is discarded.
            self._reply(seq, error_message(self.session_id, "no_episode", "the episode is over", re_seq=seq))
            return
        self._pending_actions.extend(outcome.value)
        self._reply_action(seq, outcome.infer_ms)

    def _reply_action(self, seq: int | None, infer_ms: float) -> None:
        count = min(self._max_actions, len(self._pending_actions))
        actions = [self._pending_actions.popleft() for _ in range(count)]
        self._reply(seq, action_message(self.session_id, actions, seq, infer_ms))

    def _policy_error(self, seq: int | None, error: BaseException) -> dict[str, Any]:
        text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return error_message(self.session_id, "policy_error", text, re_seq=seq)

    def _reply(self, seq: int | None, message: dict[str, Any]) -> None:
        self._unanswered.remove(seq)
        if seq is not None:
            self._answered, self._answer = seq, message
        self._send(message)

    def _in_loop(self, handle: Callable[[Outcome], None]) -> Callable[[Outcome], None]:
        """Passes an outcome from the policy's thread to the event loop, unless the session or the loop is closed."""

        def deliver(outcome: Outcome) -> None:
            if not self._closed:
                handle(outcome)

        def done(outcome: Outcome) -> None:
            try:
                self._loop.call_soon_threadsafe(deliver, outcome)
            except RuntimeError:
                pass

        return done
