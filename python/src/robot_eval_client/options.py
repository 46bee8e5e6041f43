"""The options that `serve`, `connect` and `PolicyServer` have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from .codec import ENCODINGS, check_encodings
from .identity import identity_of
from .pool import PolicyPool
from .settings import DEFAULT_MAX_SIZE


class PolicyOptions(TypedDict, total=False):
    """The options as keywords, for editors and type checkers."""

    token: str | None
    sessions: int | None
    max_batch: int | None
    encodings: Sequence[str]
    grace: float
    max_size: int | None
    name: str | None
    version: str | None
    checkpoint: str | None
    metadata: Mapping[str, Any] | None
    dialect: str | None


@dataclass(frozen=True)
class PolicySettings:
    """The options with their defaults; `serve` says what they mean."""

    token: str | None = None
    sessions: int | None = None
    max_batch: int | None = None
    encodings: Sequence[str] = ENCODINGS
    grace: float = 30.0
    max_size: int | None = DEFAULT_MAX_SIZE
    name: str | None = None
    version: str | None = None
    checkpoint: str | None = None
    metadata: Mapping[str, Any] | None = None
    dialect: str | None = None

    def checked_encodings(self) -> tuple[str, ...]:
        return check_encodings(self.encodings)

    def identity_of(self, pool: PolicyPool) -> dict[str, Any]:
        """What the policy is called; its class if it has no other name."""
        return identity_of(pool.declaration.name, self.name, self.version, self.checkpoint, self.metadata)

    def pool_of(self, policy: object) -> PolicyPool:
        shares = self.dialect is not None
        return PolicyPool(policy, sessions=self.sessions, max_batch=self.max_batch, shares=shares)
