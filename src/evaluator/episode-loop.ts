import { hash } from "node:crypto";
import type { BaseEpisode } from "../core/episode/base.js";
import { errorMessage, ProtocolError, RobotEvalError } from "../core/errors.js";
import type { Action } from "../core/interfaces/action.js";
import type { Agent, AgentEpisode } from "../core/interfaces/agent.js";
import type { EpisodeError, EpisodeLatency, Fault, Outcome } from "../core/interfaces/result.js";
import type { BaseSimulator, SimulatorFrame } from "../core/interfaces/simulator.js";
import type { StepRecord, StepState } from "../core/interfaces/step.js";
import type { EpisodeScorer, MetricValues } from "../core/metric/scorer.js";
import type { BaseTask } from "../core/task/base.js";
import { Retrospect } from "../core/task/retrospect.js";
import { latencySummary } from "../stats/quantile.js";
import { DeadlineError, isThenable, within } from "./deadline.js";
import { type Disclosed, disclose } from "./disclosure.js";
import { type SimulatedLatency, stillThinking } from "./simulated-latency.js";

/** How long an agent may take to be told that an episode is over. */
const NEWS_MS = 5000;

/** One episode with all that takes part in it. */
export interface EpisodeJob {
  readonly episode: BaseEpisode;
  readonly episodeKey: string;
  readonly repeat: number;
  readonly task: BaseTask;
  readonly simulator: BaseSimulator;
  readonly agent: Agent;
  readonly privileged: boolean;
  readonly scorer: EpisodeScorer;
  readonly seed: number;
  readonly agentSeed: number;
  readonly disclosed: readonly Disclosed[];
  readonly timeoutMs: number;
  readonly latency?: SimulatedLatency | undefined;
  /** Each record as soon as it exists. */
  readonly onRecord: (record: StepRecord) => void;
  /** What went wrong, with its stack, for the log. */
  readonly onFault: (fault: Fault, error: unknown) => void;
  readonly now: () => number;
}

/** What came of it. */
export interface EpisodeReport {
  readonly outcome: Outcome;
  readonly fault: Fault | undefined;
  readonly endReason: string;
  readonly metrics: MetricValues;
  readonly steps: number;
  readonly simMs: number;
  readonly agentMs: number;
  readonly latencyMs: EpisodeLatency | null;
  readonly initialStateHash: string | null;
  readonly finalStateHash: string | null;
  /** The same actions need not give the same states. */
  readonly nondeterministic?: boolean;
  readonly error: EpisodeError | undefined;
  readonly explanation: string;
}

/** Where a step has led. */
type Went = SimulatorFrame | EpisodeReport;

/** Runs one episode to its end. Whatever goes wrong inside is part of the report, never thrown. */
export function runEpisode(job: EpisodeJob): Promise<EpisodeReport> {
  return new EpisodeRun(job).run();
}

class EpisodeRun {
  readonly #job: EpisodeJob;
  readonly #deadline: number;
  readonly #latencies: number[] = [];
  #simMs = 0;
  #agentMs = 0;
  #steps = 0;
  #asked = false;
  #first: StepState | undefined;
  readonly #retrospect = new Retrospect();

  constructor(job: EpisodeJob) {
    this.#job = job;
    this.#deadline = job.now() + job.timeoutMs;
  }

  async run(): Promise<EpisodeReport> {
    const report = await this.#judged();
    if (this.#asked) await this.#tellEnd(report);
    return report;
  }

  async #judged(): Promise<EpisodeReport> {
    try {
      return await this.#attempt();
    } catch (error) {
      // A task or a metric that throws where nothing of its own is expected to.
      return this.#invalid(blame(error, "platform"), "internal_error", error);
    }
  }

  /** The result stands already: an agent that cannot take the news changes nothing. */
  async #tellEnd({ endReason: reason, steps }: EpisodeReport): Promise<void> {
    const { agent, episode } = this.#job;
    try {
      await within(NEWS_MS, agent.end?.({ episodeId: episode.episodeId, reason, steps }));
    } catch (error) {
      this.#job.onFault("agent", error);
    }
  }

  async #attempt(): Promise<EpisodeReport> {
    const { episode, scorer, simulator } = this.#job;
    let frame: SimulatorFrame;
    try {
      frame = await this.#simulate(() => simulator.reset(episode, { seed: this.#job.seed }));
      scorer.reset(episode, simulator.distance ? { distance: simulator.distance } : {});
      this.#record(frame, null);
    } catch (error) {
      return this.#invalid(blame(error, "platform"), endReasonOf(error, "reset_failed"), error);
    }
    this.#asked = true;
    try {
      await this.#askAgent(() => this.#job.agent.reset(this.#agentEpisode(frame)));
    } catch (error) {
      return this.#invalid("agent", endReasonOf(error, "agent_not_ready"), error);
    }
    return await this.#steer(frame);
  }

  async #steer(first: SimulatorFrame): Promise<EpisodeReport> {
    const { agent, simulator, latency } = this.#job;
    let frame = first;
    let last: Action | undefined;
    for (;;) {
      const asked = frame;
      const thinks = agent.prepared !== true;
      let action: Action;
      try {
        const before = this.#agentMs;
        const answer = this.#askAgent(() => agent.act(asked.observation));
        // To wait for what is there already costs every step a turn of the queue.
        const raw = isThenable(answer) ? await answer : answer;
        if (thinks) this.#latencies.push(this.#agentMs - before);
        action = simulator.actionSpace.parse(raw);
      } catch (error) {
        return this.#agentFailed(error);
      }
      // The world does not wait: until the answer would be there, the robot goes on with its last action.
      for (let waited = 0; latency && thinks && last !== undefined; waited++) {
        if (!stillThinking(latency, { asked, frame, waited })) break;
        const went = await this.#advance(last);
        if ("outcome" in went) return went;
        frame = went;
      }
      const going = this.#advance(action);
      const went = isThenable(going) ? await going : going;
      if ("outcome" in went) return went;
      frame = went;
      last = action;
    }
  }

  /** Does one action. Gives the world after it, or what came of the episode when that was its end. */
  #advance(action: Action): Went | Promise<Went> {
    const { simulator } = this.#job;
    let frame: SimulatorFrame | Promise<SimulatorFrame>;
    try {
      frame = this.#simulate(() => simulator.step(action));
    } catch (error) {
      return this.#stepFailed(error);
    }
    if (!isThenable(frame)) return this.#arrive(frame, action);
    return frame.then(
      (arrived) => this.#arrive(arrived, action),
      (error: unknown) => this.#stepFailed(error),
    );
  }

  #stepFailed(error: unknown): EpisodeReport {
    // Only the simulator can tell that an action is impossible right now; that is the agent's.
    if (error instanceof ProtocolError) return this.#agentFailed(error);
    return this.#invalid(blame(error, "platform"), endReasonOf(error, "simulator_error"), error);
  }

  #arrive(frame: SimulatorFrame, action: Action): Went {
    const { task } = this.#job;
    this.#steps++;
    try {
      this.#record(frame, action);
    } catch (error) {
      return this.#stepFailed(error);
    }
    // At every step: to spread the state and add to it takes V8 ten times as long as this.
    const state = Object.assign({}, frame.state, { num_steps: this.#steps, last_action: action });
    const reason = task.endReason(state);
    if (reason === "error") {
      return this.#invalid("platform", reason, new Error(String(frame.state.error)));
    }
    if (reason !== null) return this.#finish(reason);
    return this.#job.now() > this.#deadline ? this.#outOfTime() : frame;
  }

  #agentEpisode({ observation }: SimulatorFrame): AgentEpisode {
    const { episode, simulator, privileged } = this.#job;
    return {
      taskType: episode.taskType,
      episodeId: episode.episodeId,
      sceneId: episode.sceneId,
      episodeKey: this.#job.episodeKey,
      episode: disclose(episode, this.#job.disclosed),
      actionSpace: simulator.actionSpace,
      conventions: { ...this.#job.task.conventions, ...simulator.conventions },
      sensors: Object.keys(observation),
      seed: this.#job.agentSeed,
      repeat: this.#job.repeat,
      privileged: privileged ? simulator.privileged : undefined,
      manipulation: privileged ? simulator.manipulation : undefined,
    };
  }

  #record(frame: SimulatorFrame, action: Action | null): void {
    const { state, timeS } = frame;
    const step = this.#steps;
    const record: StepRecord =
      timeS === undefined ? { step, action, state } : { step, time_s: timeS, action, state };
    this.#first ??= state;
    this.#retrospect.add(record);
    this.#job.onRecord(record);
    this.#job.scorer.update(record);
  }

  #simulate<T>(work: () => T | Promise<T>): T | Promise<T> {
    return this.#timed(work, (ms) => {
      this.#simMs += ms;
    });
  }

  #askAgent<T>(work: () => T | Promise<T>): T | Promise<T> {
    return this.#timed(work, (ms) => {
      this.#agentMs += ms;
    });
  }

  /** What is there at once is handed on at once: each promise on the way would cost every step its turn. */
  #timed<T>(work: () => T | Promise<T>, count: (ms: number) => void): T | Promise<T> {
    const { now } = this.#job;
    const started = now();
    let waits = false;
    try {
      const value = work();
      if (!isThenable(value)) return value;
      waits = true;
      return within(this.#deadline - started, value).finally(() => count(now() - started));
    } finally {
      if (!waits) count(now() - started);
    }
  }

  /**
   * An agent that never gave a first action is invalid (cold start, no connection). One that fails
   * after it has failed the episode: else a losing policy could hang up and be forgotten.
   */
  #agentFailed(error: unknown): EpisodeReport {
    const gaveAnAction = this.#steps > 0 || error instanceof ProtocolError;
    const reason = endReasonOf(
      error,
      error instanceof ProtocolError ? "bad_action" : "agent_error",
    );
    if (!gaveAnAction) return this.#invalid("agent", reason, error);
    this.#job.onFault("agent", error);
    return {
      ...this.#report("failure", reason),
      fault: "agent",
      metrics: this.#job.scorer.values("broken_off"),
      error: asEpisodeError(error),
      explanation: `the agent failed after ${this.#steps} steps: ${errorMessage(error)}`,
    };
  }

  /** The clock ran out between steps; who used more of it is to blame. */
  #outOfTime(): EpisodeReport {
    if (this.#agentMs > this.#simMs) return this.#agentFailed(new DeadlineError());
    return this.#invalid("platform", "timeout", new DeadlineError());
  }

  #finish(reason: string): EpisodeReport {
    const { task, scorer } = this.#job;
    const metrics = scorer.values();
    const succeeded = metrics[task.primaryMetric] === 1;
    return {
      ...this.#report(succeeded ? "success" : "failure", reason),
      metrics,
      explanation: task.explain({
        succeeded,
        endReason: reason,
        ...this.#retrospect.course,
      }),
    };
  }

  #invalid(fault: Fault, reason: string, error: unknown): EpisodeReport {
    const problem = asEpisodeError(error);
    this.#job.onFault(fault, error);
    return {
      ...this.#report("invalid", reason),
      fault,
      error: problem,
      explanation: `not counted (${fault} fault): ${problem.message}`,
    };
  }

  #report(outcome: Outcome, endReason: string): EpisodeReport {
    return {
      outcome,
      fault: undefined,
      endReason,
      metrics: {},
      steps: this.#steps,
      simMs: this.#simMs,
      agentMs: this.#agentMs,
      latencyMs: latencySummary(this.#latencies),
      initialStateHash: this.#first ? hashState(this.#first) : null,
      finalStateHash: this.#first ? hashState(this.#retrospect.course.lastState) : null,
      nondeterministic: this.#job.simulator.deterministic === false,
      error: undefined,
      explanation: "",
    };
  }
}

/** JSON prints each double with all its digits, so equal hashes mean equal bits. */
function hashState(state: StepState): string {
  return hash("sha256", JSON.stringify(state), "hex");
}

function blame(error: unknown, otherwise: Fault): Fault {
  return error instanceof RobotEvalError && error.name === "DataError" ? "data" : otherwise;
}

function endReasonOf(error: unknown, otherwise: string): string {
  if (error instanceof DeadlineError) return "timeout";
  return error instanceof RobotEvalError && error.code === "unreachable_goal"
    ? error.code
    : otherwise;
}

function asEpisodeError(error: unknown): EpisodeError {
  if (error instanceof DeadlineError) {
    return { code: "timeout", message: "the episode's time ran out" };
  }
  const code = error instanceof RobotEvalError ? error.code : "error";
  return { code, message: errorMessage(error) };
}
