import { cleanText } from "../../../core/text.js";
import { phaseState } from "../config.js";
import { ChallengeError } from "../errors.js";
import type { LoadedChallenge, LoadedPhase } from "../load.js";
import type { Readiness } from "../readiness.js";
import type { ChallengeStore } from "../store/postgres-store.js";
import type { Submission, Team } from "../store/store.js";
import type { AgentRequest, Claim } from "./agent-gateway.js";

/** Maximum length of a submission's name, which pages and terminals show. */
const MOST_NAME_CHARACTERS = 100;

export interface SubmissionClaimsOptions {
  readonly loaded: LoadedChallenge;
  readonly store: ChallengeStore;
  readonly readiness: Pick<Readiness, "problem">;
  readonly onOpened: (submission: Submission, remote: string) => void;
}

/** Opens submissions, and assigns each agent to the submission it asks for. */
export class SubmissionClaims {
  constructor(private readonly options: SubmissionClaimsOptions) {}

  async open(team: Team, phase: string, name: string, remote: string): Promise<Submission> {
    const { config } = this.#openPhase(phase);
    await this.#checkReady();
    const submission = await this.options.store.openSubmission({
      teamId: team.id,
      phase,
      name: cleanText(name, MOST_NAME_CHARACTERS),
      most: config.max_submissions,
    });
    this.options.onOpened(submission, remote);
    return submission;
  }

  /** Reserves the submission for this agent. */
  async claim(team: Team, request: AgentRequest): Promise<Claim> {
    const { id, phase } = await this.#requested(team, request);
    const { config } = this.#openPhase(phase);
    await this.#checkReady();
    const { store } = this.options;
    const submission = await store.transition(id, ["waiting_for_agent"], "queued");
    if (!submission) {
      throw new ChallengeError("not_waiting", "the submission already has an agent, or is over", {
        hint: "open another submission: connect to /agent?phase=<name>",
      });
    }
    return { submission, sessions: config.workers * config.concurrency };
  }

  /** Finds or opens the requested submission. Another team's submission counts as unknown. */
  async #requested(team: Team, request: AgentRequest): Promise<Submission> {
    if (request.submission !== undefined) {
      const found = await this.options.store.submission(request.submission);
      if (found?.teamId === team.id) return found;
      throw new ChallengeError("no_submission", "your team has no submission with this id");
    }
    return this.open(team, request.phase ?? this.#onlyPhase(), request.name, request.remote);
  }

  /** Rejects submissions while none can be evaluated: they would use up an attempt or wait for ever. */
  async #checkReady(): Promise<void> {
    const problem = await this.options.readiness.problem();
    if (problem === undefined) return;
    throw new ChallengeError("not_ready", problem, {
      hint: "no attempt was counted; try again later, or inform the organisers",
    });
  }

  #onlyPhase(): string {
    const open = this.options.loaded.phases.flatMap(({ config }) =>
      phaseState(config, new Date()) === "open" ? [config.name] : [],
    );
    const [first] = open;
    if (first !== undefined && open.length === 1) return first;
    throw new ChallengeError("no_phase", "the address names no phase", {
      hint: `connect to /agent?phase=<name>; open now: ${open.join(", ") || "none"}`,
    });
  }

  #openPhase(name: string): LoadedPhase {
    const { loaded } = this.options;
    const phase = loaded.phase(name);
    if (!phase) {
      throw new ChallengeError("no_phase", `the phase "${cleanText(name, 80)}" does not exist`, {
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
