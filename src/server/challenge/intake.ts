import type { Claim, Wish } from "./agent-door.js";
import { phaseState } from "./config.js";
import { ChallengeError } from "./errors.js";
import type { LoadedChallenge, LoadedPhase } from "./load.js";
import type { ChallengeStore, Submission, Team } from "./store.js";

export interface IntakeOptions {
  readonly loaded: LoadedChallenge;
  readonly store: ChallengeStore;
  readonly onOpened: (submission: Submission, remote: string) => void;
}

/** Which submission an agent is for, and whether it may be opened at all. */
export class Intake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  async open(team: Team, phase: string, name: string, remote: string): Promise<Submission> {
    const { config } = this.#openPhase(phase);
    const submission = await this.#options.store.openSubmission({
      teamId: team.id,
      phase,
      name,
      most: config.max_submissions,
    });
    this.#options.onOpened(submission, remote);
    return submission;
  }

  /** The submission is this agent's from now on. */
  async claim(team: Team, wish: Wish): Promise<Claim> {
    const { id, phase } = await this.#wanted(team, wish);
    const { config } = this.#openPhase(phase);
    const { store } = this.#options;
    const submission = await store.transition(id, ["waiting_for_agent"], "queued");
    if (!submission) {
      throw new ChallengeError("not_waiting", "the submission has its agent already, or is over", {
        hint: "open another one: dial /agent?phase=<name>",
      });
    }
    return { submission, sessions: config.workers * config.concurrency };
  }

  /** The submission that is asked for; one of another team is as good as none. */
  async #wanted(team: Team, wish: Wish): Promise<Submission> {
    if (wish.submission !== undefined) {
      const found = await this.#options.store.submission(wish.submission);
      if (found?.teamId === team.id) return found;
      throw new ChallengeError("no_submission", "your team has no such submission");
    }
    return this.open(team, wish.phase ?? this.#onlyPhase(), wish.name, wish.remote);
  }

  #onlyPhase(): string {
    const open = this.#options.loaded.phases.flatMap(({ config }) =>
      phaseState(config, new Date()) === "open" ? [config.name] : [],
    );
    const [first] = open;
    if (first !== undefined && open.length === 1) return first;
    throw new ChallengeError("no_phase", "the address does not say which phase is meant", {
      hint: `dial /agent?phase=<name>; open now: ${open.join(", ") || "none"}`,
    });
  }

  #openPhase(name: string): LoadedPhase {
    const { loaded } = this.#options;
    const phase = loaded.phase(name);
    if (!phase) {
      throw new ChallengeError("no_phase", `there is no phase "${name.slice(0, 80)}"`, {
        hint: `phases: ${loaded.phases.map(({ config }) => config.name).join(", ")}`,
      });
    }
    const state = phaseState(phase.config, new Date());
    if (state === "open") return phase;
    const { opens, closes } = phase.config;
    throw new ChallengeError(
      "phase_closed",
      state === "before" ? `the phase opens at ${opens}` : `the phase closed at ${closes}`,
    );
  }
}
