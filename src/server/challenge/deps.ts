import type { ChallengeCore } from "./core.js";
import type { LoadedChallenge } from "./load.js";
import type { ChallengeStore } from "./store.js";

/** What pages and the HTTP interface stand on. */
export interface ChallengeDeps {
  readonly loaded: LoadedChallenge;
  readonly store: ChallengeStore;
  readonly core: ChallengeCore;
}
