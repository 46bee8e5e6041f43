import type { ChallengeCore } from "./core.js";
import type { LoadedChallenge } from "./load.js";
import type { Readiness } from "./readiness.js";
import type { ChallengeStore } from "./store/store.js";

/** Dependencies of the pages and the HTTP API. */
export interface ChallengeDeps {
  readonly loaded: LoadedChallenge;
  readonly store: ChallengeStore;
  readonly core: ChallengeCore;
  readonly readiness: Pick<Readiness, "failure" | "problem">;
}
