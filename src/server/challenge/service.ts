import { PeerError } from "../../api/websocket/peer-error.js";
import type { AgentDoor, Claim, Wish } from "./agent-door.js";
import type { Auditor } from "./auditor.js";
import type { ChallengeCore, ChangeListener, CoreStatus } from "./core.js";
import { ChallengeError } from "./errors.js";
import type { Evaluations, RunningEvaluation } from "./evaluation-job.js";
import { Intake } from "./intake.js";
import type { LoadedChallenge, LoadedPhase } from "./load.js";
import { Orders } from "./orders.js";
import { Outcomes, SERVER_STOPPED } from "./outcomes.js";
import { Progress } from "./progress.js";
import type { Relay } from "./relay.js";
import { relaySettings } from "./relay-settings.js";
import type { ChallengeStore, Submission, Team } from "./store.js";
import { SubmissionLog } from "./submission-log.js";
import type { TeamAgent } from "./team-agent.js";
import { Veil } from "./veil.js";

export interface ServiceOptions {
  readonly loaded: LoadedChallenge;
  readonly store: ChallengeStore;
  readonly auditor: Auditor;
  readonly relay: Relay;
  readonly relayToken: string;
  readonly evaluations: Evaluations;
  /** Of the veil. */
  readonly secret: Buffer;
  /** Folder of run directories. */
  readonly runs: string;
  readonly door: Pick<AgentDoor, "agents" | "dismiss" | "turnOut">;
  readonly onFault: (error: unknown) => void;
}

interface Underway {
  readonly agent: TeamAgent;
  /** Absent until it has begun. */
  running?: RunningEvaluation;
  /** Why it was stopped before its end, where it was. */
  stopped?: string;
}

/** Takes submissions in, has them evaluated in their turn, and writes down what comes of them. */
export class ChallengeService implements ChallengeCore {
  readonly #options: ServiceOptions;
  /** Agents whose submission waits for its turn, the first to come first. */
  readonly #queued = new Map<string, TeamAgent>();
  readonly #underway = new Map<string, Underway>();
  readonly #work = new Set<Promise<void>>();
  readonly #intake: Intake;
  readonly #progress: Progress;
  readonly #listeners = new Set<ChangeListener>();
  readonly #orders: Orders;
  readonly #log: SubmissionLog;
  readonly #outcomes: Outcomes;
  #closing = false;

  constructor(options: ServiceOptions) {
    this.#options = options;
    const { loaded, store, onFault } = options;
    this.#log = new SubmissionLog(options.auditor);
    this.#outcomes = new Outcomes({ store, log: this.#log, onFault });
    this.#intake = new Intake({
      ...{ loaded, store },
      onOpened: (submission, remote) => {
        const { phase, name } = submission;
        this.#log.add("submission_opened", submission, { phase, name }, remote);
        this.#changed(submission);
      },
    });
    this.#progress = new Progress(async (id, done, total) => {
      await store.setProgress(id, done, total);
      const agent = this.#underway.get(id)?.agent;
      if (agent) this.#tell(agent);
    });
    this.#orders = new Orders({
      ...{ store, onFault, agents: () => options.door.agents },
      onCancelled: ({ id, reason }) => this.#drop(id, reason ?? "cancelled"),
      onClosed: (agent) => options.door.turnOut(agent, tokenClosed()),
    });
  }

  /** What a server that died left under way: nobody is at fault, and nobody will go on with it. */
  async recover(): Promise<void> {
    const { store, evaluations } = this.#options;
    // Not only of those that still count as running: one may have been cancelled since, with nobody there to tell.
    for (const id of await evaluations.leftovers()) {
      if (await store.submission(id)) await evaluations.abandon(id);
    }
    const left = async (state: "running" | "queued") =>
      (await store.submissions({ states: [state], limit: 10_000 })).map(({ id }) => id);
    for (const id of await left("running")) {
      const change = { reason: "the server was restarted", counted: false };
      const ended = await store.transition(id, ["running"], "failed", change);
      if (ended) this.#log.add("submission_finished", ended, { state: "failed", ...change });
    }
    for (const id of await left("queued")) {
      const waiting = await store.transition(id, ["queued"], "waiting_for_agent");
      if (waiting) this.#log.add("submission_waiting", waiting, {});
    }
  }

  open(team: Team, phase: string, name: string, remote: string): Promise<Submission> {
    return this.#intake.open(team, phase, name, remote);
  }

  /** For the door: the submission is this agent's from now on. */
  async claim(team: Team, wish: Wish): Promise<Claim> {
    if (this.#closing) throw new ChallengeError("stopping", "the server is being stopped");
    return this.#intake.claim(team, wish);
  }

  release({ id }: Submission): void {
    this.#options.store
      .transition(id, ["queued"], "waiting_for_agent")
      .catch((error: unknown) => this.#options.onFault(error));
  }

  arrived(agent: TeamAgent): void {
    this.#queued.set(agent.submissionId, agent);
    this.#log.add("submission_queued", agent, {}, agent.remote);
    this.#tell(agent);
    this.#next();
  }

  /** An agent is gone for good. Before its first episode nothing was learned, and it may come again. */
  gone(agent: TeamAgent): void {
    const { submissionId: id } = agent;
    if (this.#queued.delete(id)) {
      this.#follow(
        this.#options.store.transition(id, ["queued"], "waiting_for_agent").then((waiting) => {
          if (waiting) this.#log.add("submission_waiting", agent, {});
          this.#tell(agent);
        }),
      );
      return;
    }
    this.#stop(id, agent.turnedOut?.message ?? "the agent went away");
  }

  async cancel(id: string, actor: string, reason: string): Promise<Submission | undefined> {
    const { store, auditor } = this.#options;
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

  /** Ends what is under way; it counts for nobody. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#orders.close();
    for (const id of this.#underway.keys()) this.#stop(id, SERVER_STOPPED);
    await this.#options.evaluations.close();
    while (this.#work.size > 0) await Promise.all([...this.#work]);
  }

  /** Starts as many as may run. A team that has its share under way lets others pass. */
  #next(): void {
    if (this.#closing) return;
    const { evaluations, evaluations_per_team } = this.#options.loaded.config.limits;
    for (const agent of [...this.#queued.values()]) {
      if (this.#underway.size >= evaluations) return;
      const own = [...this.#underway.values()].filter((one) => one.agent.team.id === agent.team.id);
      if (own.length >= evaluations_per_team) continue;
      this.#queued.delete(agent.submissionId);
      this.#follow(this.#evaluate(agent));
    }
  }

  async #evaluate(agent: TeamAgent): Promise<void> {
    const { store, loaded, relay, secret } = this.#options;
    const id = agent.submissionId;
    const underway: Underway = { agent };
    this.#underway.set(id, underway);
    let withdraw: ((reason: string) => void) | undefined;
    let reason = "the submission is over";
    try {
      const submission = await store.transition(id, ["queued"], "running");
      const phase = submission && loaded.phase(submission.phase);
      if (!submission || !phase) return;
      this.#log.add("submission_started", agent, {}, agent.remote);
      this.#tell(agent);
      withdraw = relay.offer(agent, new Veil(secret, id, phase.config));
      const running = this.#start(agent, phase);
      underway.running = running;
      // Told to stop while the database was asked.
      if (underway.stopped !== undefined) running.stop();
      const wallMs = loaded.config.limits.wall_clock * 1000;
      const limit = setTimeout(() => this.#overTime(agent), Math.min(wallMs, LONGEST_TIMER_MS));
      try {
        await this.#outcomes.finished(underway, await running.finished);
      } catch (error) {
        reason = await this.#outcomes.failed(underway, error);
      } finally {
        clearTimeout(limit);
      }
      reason = underway.stopped ?? reason;
    } finally {
      this.#underway.delete(id);
      withdraw?.(reason);
      await this.#options.door.dismiss(agent, reason);
      this.#tell(agent);
      this.#next();
    }
  }

  #start(agent: TeamAgent, { config, benchmark }: LoadedPhase): RunningEvaluation {
    const { relay, relayToken, runs, evaluations, loaded } = this.#options;
    const { submissionId } = agent;
    const sessions = agent.connection.ids.capacity;
    const workers = Math.min(config.workers, sessions);
    return evaluations.start(
      {
        submissionId,
        benchmark: benchmark.file,
        set: [...config.set, ...relaySettings(loaded.config.limits)],
        limit: config.limit,
        agent: relay.address(submissionId),
        token: relayToken,
        outDir: runs,
        workers,
        concurrency: Math.floor(sessions / workers),
      },
      {
        onProgress: (done, total) => {
          this.#follow(this.#progress.report(submissionId, done, total));
        },
      },
    );
  }

  #overTime(agent: TeamAgent): void {
    this.#log.add("limit_hit", agent, { limit: "wall_clock" });
    this.#stop(agent.submissionId, "the submission's time ran out");
  }

  #stop(id: string, reason: string): void {
    const underway = this.#underway.get(id);
    if (!underway) return;
    underway.stopped ??= reason;
    underway.running?.stop();
  }

  async #drop(id: string, reason: string): Promise<void> {
    this.#stop(id, reason);
    const agent = this.#queued.get(id);
    this.#queued.delete(id);
    if (agent) await this.#options.door.dismiss(agent, reason);
  }

  /** Work that nobody waits for, until the server is closed. */
  #follow(work: Promise<void>): void {
    const followed = work
      .catch((error: unknown) => this.#options.onFault(error))
      .finally(() => this.#work.delete(followed));
    this.#work.add(followed);
  }

  #changed({ id, teamId }: Submission): void {
    for (const listener of this.#listeners) listener(id, teamId);
  }

  #tell({ submissionId, team }: TeamAgent): void {
    for (const listener of this.#listeners) listener(submissionId, team.id);
  }
}

function tokenClosed(): PeerError {
  return new PeerError("token_revoked", "the token that the agent came with was revoked", {
    hint: "ask the organisers for another one",
  });
}

/** A longer one overflows Node's timers and fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
