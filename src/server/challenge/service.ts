import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { PeerError } from "../../api/websocket/peer-error.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import type { Auditor } from "./auditor.js";
import type { ChallengeCore, ChangeListener, CoreStatus } from "./core.js";
import { ChallengeError } from "./errors.js";
import type { Evaluations } from "./evaluation/evaluation-job.js";
import { Progress } from "./evaluation/progress.js";
import { ResultRecorder, SERVER_STOPPED } from "./evaluation/result-recorder.js";
import { SubmissionRun } from "./evaluation/submission-run.js";
import { isComplete } from "./evaluation/verdict.js";
import type { AgentGateway, AgentRequest, Claim } from "./gateway/agent-gateway.js";
import { RevocationPoller } from "./gateway/revocation-poller.js";
import { SubmissionClaims } from "./gateway/submission-claims.js";
import type { TeamAgent } from "./gateway/team-agent.js";
import type { LoadedChallenge } from "./load.js";
import type { Relay } from "./proxy/relay.js";
import type { Readiness } from "./readiness.js";
import type { ChallengeStore } from "./store/postgres-store.js";
import { RetryingStore } from "./store/retrying-store.js";
import type { Submission, Team } from "./store/store.js";
import { SubmissionLog } from "./submission-log.js";

export interface ServiceOptions {
  readonly loaded: LoadedChallenge;
  readonly store: ChallengeStore;
  readonly auditor: Auditor;
  readonly relay: Relay;
  readonly relayToken: string;
  readonly evaluations: Evaluations;
  readonly readiness: Readiness;
  /** Key of the anonymiser. */
  readonly secret: Buffer;
  /** Folder of run directories. */
  readonly runs: string;
  readonly gateway: Pick<AgentGateway, "agents" | "dismiss" | "expel">;
  readonly onFault: (error: unknown) => void;
  /** Aborted when the database is lost for good. */
  readonly lost: AbortSignal;
}

/** Accepts submissions, evaluates them in order and records the results. */
export class ChallengeService implements ChallengeCore {
  /** Agents of queued submissions, in order of arrival. */
  readonly #queued = new Map<string, TeamAgent>();
  readonly #underway = new Map<string, SubmissionRun>();
  readonly #work = new Set<Promise<void>>();
  readonly #claims: SubmissionClaims;
  readonly #progress: Progress;
  readonly #listeners = new Set<ChangeListener>();
  readonly #revocations: RevocationPoller;
  readonly #log: SubmissionLog;
  readonly #store: RetryingStore;
  readonly #recorder: ResultRecorder;
  #closing = false;

  constructor(private readonly options: ServiceOptions) {
    const { loaded, store, readiness, onFault } = options;
    this.#store = new RetryingStore(store, options.lost);
    this.#log = new SubmissionLog(options.auditor);
    this.#recorder = new ResultRecorder({ store: this.#store, log: this.#log, onFault });
    this.#claims = new SubmissionClaims({
      ...{ loaded, store, readiness },
      onOpened: (submission, remote) => {
        const { phase, name } = submission;
        this.#log.add("submission_opened", submission, { phase, name }, remote);
        this.#changed(submission);
      },
    });
    this.#progress = new Progress(async (id, done, total) => {
      await this.#store.setProgress(id, done, total);
      const agent = this.#underway.get(id)?.agent;
      if (agent) this.#notify(agent);
    });
    this.#revocations = new RevocationPoller({
      ...{ store, onFault, agents: () => options.gateway.agents },
      onCancelled: ({ id, reason }) => this.#drop(id, reason ?? "cancelled"),
      onRevoked: (agent) => options.gateway.expel(agent, tokenRevoked()),
    });
  }

  /** Ends or requeues the submissions that a dead server left open. They do not count as attempts. */
  async recover(): Promise<void> {
    const { store, evaluations } = this.options;
    // Includes submissions that were cancelled while no server was running.
    for (const id of await evaluations.leftovers()) {
      if (await store.submission(id)) await evaluations.abandon(id);
    }
    const left = async (state: "running" | "queued") =>
      (await store.submissions({ states: [state], limit: 10_000 })).map(({ id }) => id);
    for (const id of await left("running")) {
      if (await this.#adopt(id)) continue;
      const change = { reason: "the server was restarted", counted: false };
      const ended = await store.transition(id, ["running"], "failed", change);
      if (ended) this.#log.add("submission_finished", ended, { state: "failed", ...change });
    }
    for (const id of await left("queued")) {
      const waiting = await store.transition(id, ["queued"], "waiting_for_agent");
      if (waiting) this.#log.add("submission_waiting", waiting, {});
    }
  }

  /** Records a submission that was evaluated completely before the server died. */
  async #adopt(id: string): Promise<boolean> {
    const finished = await finishedRun(this.options.runs, id);
    if (!finished) return false;
    const result = { complete: true, state: "done", reason: null, ...finished } as const;
    if (!(await this.#store.record(id, result))) return false;
    const submission = await this.options.store.submission(id);
    const details = { state: "done", complete: true, recovered: true };
    if (submission) this.#log.add("submission_finished", submission, details);
    return true;
  }

  open(team: Team, phase: string, name: string, remote: string): Promise<Submission> {
    return this.#claims.open(team, phase, name, remote);
  }

  /** Reserves a submission for an agent. */
  async claim(team: Team, request: AgentRequest): Promise<Claim> {
    if (this.#closing) throw new ChallengeError("stopping", "the server is being stopped");
    return this.#claims.claim(team, request);
  }

  release({ id }: Submission): void {
    this.#track(this.#store.move(id, ["queued"], "waiting_for_agent").then(() => {}));
  }

  arrived(agent: TeamAgent): void {
    this.#queued.set(agent.submissionId, agent);
    this.#log.add("submission_queued", agent, {}, agent.remote);
    this.#notify(agent);
    this.#next();
  }

  /** Handles an agent that disconnected for good. A queued submission waits for it to connect again. */
  gone(agent: TeamAgent): void {
    const { submissionId: id } = agent;
    if (this.#queued.delete(id)) {
      this.#track(
        this.#store.move(id, ["queued"], "waiting_for_agent").then((waiting) => {
          if (waiting) this.#log.add("submission_waiting", agent, {});
          this.#notify(agent);
        }),
      );
      return;
    }
    this.#stop(id, agent.expelledBy?.message ?? "the agent disconnected");
  }

  async cancel(id: string, actor: string, reason: string): Promise<Submission | undefined> {
    const { store, auditor } = this.options;
    const open = ["waiting_for_agent", "queued", "running"] as const;
    const submission = await store.transition(id, open, "cancelled", { reason });
    if (!submission) return undefined;
    auditor.add({
      event: "submission_cancelled",
      actor,
      teamId: submission.teamId,
      submissionId: id,
      details: { reason },
    });
    await this.#drop(id, reason);
    this.#changed(submission);
    return submission;
  }

  status(): CoreStatus {
    const queued = this.#queued.size;
    const running = this.#underway.size;
    return { running, queued, connections: queued + running };
  }

  onChange(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Stops running submissions, which then do not count as attempts. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#revocations.close();
    for (const id of this.#underway.keys()) this.#stop(id, SERVER_STOPPED);
    const timer = setTimeout(() => this.#store.stopRetrying(), CLOSING_MS);
    await this.options.evaluations.close();
    while (this.#work.size > 0) await Promise.all([...this.#work]);
    clearTimeout(timer);
  }

  /** Starts queued submissions up to the limits. A team at its limit is skipped, not waited for. */
  #next(): void {
    if (this.#closing) return;
    const { evaluations, evaluations_per_team } = this.options.loaded.config.limits;
    for (const agent of [...this.#queued.values()]) {
      if (this.#underway.size >= evaluations) return;
      const own = [...this.#underway.values()].filter((one) => one.agent.team.id === agent.team.id);
      if (own.length >= evaluations_per_team) continue;
      this.#queued.delete(agent.submissionId);
      this.#track(this.#evaluate(agent));
    }
  }

  async #evaluate(agent: TeamAgent): Promise<void> {
    const { loaded, relay, relayToken, evaluations, readiness, secret, runs, onFault } =
      this.options;
    const id = agent.submissionId;
    const run = new SubmissionRun(agent, {
      ...{ loaded, relay, relayToken, evaluations, readiness, secret, runs, onFault },
      ...{ store: this.#store, log: this.#log, outcomes: this.#recorder },
      onProgress: (done, total) => this.#track(this.#progress.report(id, done, total)),
      onChange: () => this.#notify(agent),
    });
    this.#underway.set(id, run);
    let reason = "the submission is over";
    try {
      reason = await run.run();
    } finally {
      this.#underway.delete(id);
      await this.options.gateway.dismiss(agent, reason, run.disclosedScore);
      this.#notify(agent);
      this.#next();
    }
  }

  #stop(id: string, reason: string): void {
    this.#underway.get(id)?.stop(reason);
  }

  async #drop(id: string, reason: string): Promise<void> {
    this.#stop(id, reason);
    const agent = this.#queued.get(id);
    this.#queued.delete(id);
    if (agent) await this.options.gateway.dismiss(agent, reason);
  }

  /** Tracks background work, which `close` waits for. */
  #track(work: Promise<void>): void {
    const followed = work
      .catch((error: unknown) => this.options.onFault(error))
      .finally(() => this.#work.delete(followed));
    this.#work.add(followed);
  }

  #changed({ id, teamId }: Submission): void {
    for (const listener of this.#listeners) listener(id, teamId);
  }

  #notify({ submissionId, team }: TeamAgent): void {
    for (const listener of this.#listeners) listener(submissionId, team.id);
  }
}

/** Finds a complete run directory of a submission. On a queue every retry has its own. */
async function finishedRun(runs: string, id: string) {
  const names = await readdir(runs);
  for (const name of names.filter((one) => one === id || one.startsWith(`${id}-`))) {
    const runDir = join(runs, name);
    const summary = await new RunDirectory(runDir).summary().catch(() => undefined);
    if (summary && isComplete(summary)) return { summary, runDir };
  }
  return undefined;
}

function tokenRevoked(): PeerError {
  return new PeerError("token_revoked", "the agent's token was revoked", {
    hint: "ask the organisers for a new token",
  });
}

/** How long a stopping server waits for an unreachable database, in milliseconds. */
const CLOSING_MS = 5000;
