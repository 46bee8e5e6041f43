import { hash } from "node:crypto";
import type { BaseEpisode } from "../../core/episode/base.js";
import { type Disclosed, disclose } from "../../core/episode/disclosure.js";
import { errorMessage, ProtocolError, RobotEvalError } from "../../core/errors.js";
import type { Action } from "../../core/interfaces/action.js";
import type { Agent, AgentEpisode } from "../../core/interfaces/agent.js";
import type { EpisodeError, EpisodeLatency, Fault, Outcome } from "../../core/interfaces/result.js";
import type { BaseSimulator, SimulatorFrame } from "../../core/interfaces/simulator.js";
import type { StepRecord, StepState } from "../../core/interfaces/step.js";
import type { EpisodeScorer, MetricValues } from "../../core/metric/scorer.js";
import { JudgedSimulator } from "../../core/rules/judged-simulator.js";
import type { BaseTask } from "../../core/task/base.js";
import { EpisodeSummaryBuilder } from "../../core/task/episode-summary.js";
import { cleanLines, cleanText } from "../../core/text.js";
import { latencySummary } from "../../stats/quantile.js";
import { DeadlineError, isThenable, within } from "./deadline.js";
import { type SimulatedLatency, stillThinking } from "./simulated-latency.js";

/** Time limit for an agent's `end` handler. */
const END_MS = 5000;

/** Maximum lengths in an episode's error. Policies and simulators control its text. */
const MOST_CODE = 100;
const MOST_MESSAGE = 2000;

/** One episode with its task, simulator, agent and scorer. */
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
  /** Called with each record as soon as it exists. */
  readonly onRecord: (record: StepRecord) => void;
  /** Called with the original error, for the log. */
  readonly onFault: (fault: Fault, error: unknown) => void;
  readonly now: () => number;
}

/** The outcome of an episode. */
export interface EpisodeReport {
  readonly outcome: Outcome;
  readonly fault: Fault | undefined;
  readonly endReason: string;
  readonly metrics: MetricValues;
  readonly steps: number;
  /** Actions among the steps: one that takes several steps counts once. */
  readonly actions: number;
  readonly simMs: number;
  readonly agentMs: number;
  readonly latencyMs: EpisodeLatency | null;
  readonly initialStateHash: string | null;
  readonly finalStateHash: string | null;
  /** True if the same actions may give other states. */
  readonly nondeterministic?: boolean;
  readonly error: EpisodeError | undefined;
  readonly explanation: string;
}

/** The next frame, or the report if the step ended the episode. */
type StepOutcome = SimulatorFrame | EpisodeReport;

/** The loop of one episode: the agent acts, the simulator steps, until the task ends it. */
export class EpisodeLoop {
  readonly #job: EpisodeJob;
  readonly #deadline: number;
  readonly #latencies: number[] = [];
  #simMs = 0;
  #agentMs = 0;
  #steps = 0;
  #actions = 0;
  #asked = false;
  #first: StepState | undefined;
  readonly #summaryBuilder = new EpisodeSummaryBuilder();
  readonly #simulator: JudgedSimulator;

  constructor(job: EpisodeJob) {
    this.#job = job;
    this.#simulator = new JudgedSimulator(job.simulator, job.task);
    this.#deadline = job.now() + job.timeoutMs;
  }

  /** Runs the episode to its end. Errors become part of the report and are never thrown. */
  async run(): Promise<EpisodeReport> {
    let report: EpisodeReport;
    try {
      report = await this.#attempt();
    } catch (error) {
      // A task or a metric threw an unexpected error.
      report = this.#invalid(blame(error, "platform"), "internal_error", error);
    }
    if (this.#asked) await this.#notifyEnd(report);
    return report;
  }

  /** Tells the agent that the episode ended. A failure here does not change the result. */
  async #notifyEnd({ endReason: reason, steps }: EpisodeReport): Promise<void> {
    const { agent, episode } = this.#job;
    try {
      await within(END_MS, agent.end?.({ episodeId: episode.episodeId, reason, steps }));
    } catch (error) {
      this.#job.onFault("agent", error);
    }
  }

  async #attempt(): Promise<EpisodeReport> {
    const { episode, scorer, simulator } = this.#job;
    let frame: SimulatorFrame;
    try {
      frame = await this.#simulate(() => this.#simulator.reset(episode, { seed: this.#job.seed }));
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
    return await this.#runSteps(frame);
  }

  async #runSteps(first: SimulatorFrame): Promise<EpisodeReport> {
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
        // Awaiting a value that is not a promise would delay every step by a microtask.
        const raw = isThenable(answer) ? await answer : answer;
        if (thinks) this.#latencies.push(this.#agentMs - before);
        action = simulator.actionSpace.parse(raw);
      } catch (error) {
        return this.#agentFailed(error);
      }
      // With simulated latency, the robot repeats its last action until the new one takes effect.
      for (let waited = 0; latency && thinks && last !== undefined; waited++) {
        if (!stillThinking(latency, { asked, frame, waited })) break;
        const next = await this.#finishing(await this.#advance(this.#repeated(last)), last);
        if ("outcome" in next) return next;
        frame = next;
      }
      const advance = this.#advance(action);
      let next = isThenable(advance) ? await advance : advance;
      if ("inProgress" in next) next = await this.#finishing(next, action);
      if ("outcome" in next) return next;
      frame = next;
      last = action;
    }
  }

  /** A named action that took several steps is over and must not begin again: the robot waits. */
  #repeated(last: Action): Action {
    return typeof last === "string" ? (this.#job.simulator.hold?.() ?? last) : last;
  }

  /** Continues an action that takes several steps, without asking the agent. */
  async #finishing(first: StepOutcome, action: Action): Promise<StepOutcome> {
    let next = first;
    while ("inProgress" in next && next.inProgress) {
      const advance = this.#advance(action, true);
      next = isThenable(advance) ? await advance : advance;
    }
    return next;
  }

  /** Executes one step of an action. */
  #advance(action: Action, continued = false): StepOutcome | Promise<StepOutcome> {
    let frame: SimulatorFrame | Promise<SimulatorFrame>;
    try {
      frame = this.#simulate(() => this.#simulator.step(action));
    } catch (error) {
      return this.#stepFailed(error);
    }
    if (!isThenable(frame)) return this.#arrive(frame, action, continued);
    return frame.then(
      (arrived) => this.#arrive(arrived, action, continued),
      (error: unknown) => this.#stepFailed(error),
    );
  }

  #stepFailed(error: unknown): EpisodeReport {
    // The simulator rejected the action: that is the agent's fault.
    if (error instanceof ProtocolError) return this.#agentFailed(error);
    return this.#invalid(blame(error, "platform"), endReasonOf(error, "simulator_error"), error);
  }

  #arrive(frame: SimulatorFrame, action: Action, continued: boolean): StepOutcome {
    const { task } = this.#job;
    this.#steps++;
    if (!continued) this.#actions++;
    try {
      this.#record(frame, action, continued);
    } catch (error) {
      return this.#stepFailed(error);
    }
    // Object spread is ten times slower here, and this runs at every step.
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
      episode: disclose(episode, this.#job.disclosed, simulator.perturbed),
      actionSpace: simulator.actionSpace,
      conventions: { ...this.#job.task.conventions, ...simulator.conventions },
      sensors: Object.keys(observation),
      seed: this.#job.agentSeed,
      repeat: this.#job.repeat,
      privileged: privileged ? simulator.privileged : undefined,
      manipulation: privileged ? simulator.manipulation : undefined,
    };
  }

  #record(frame: SimulatorFrame, action: Action | null, continued = false): void {
    const { state, facts, timeS } = frame;
    const step = this.#steps;
    const record: StepRecord = {
      step,
      ...(timeS === undefined ? {} : { time_s: timeS }),
      action,
      ...(continued ? { continued } : {}),
      state,
      ...(facts === undefined ? {} : { facts }),
    };
    this.#first ??= state;
    this.#summaryBuilder.add(record);
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

  /** Stays synchronous for synchronous work: a promise would delay every step by a microtask. */
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
   * An agent that fails before its first action makes the episode invalid (cold start, no connection). After
   * it, the episode is a failure: otherwise a losing policy could disconnect to avoid being counted.
   */
  #agentFailed(error: unknown): EpisodeReport {
    const hasActed = this.#steps > 0 || error instanceof ProtocolError;
    const reason = endReasonOf(
      error,
      error instanceof ProtocolError ? "bad_action" : "agent_error",
    );
    if (!hasActed) return this.#invalid("agent", reason, error);
    this.#job.onFault("agent", error);
    const problem = asEpisodeError(error);
    return {
      ...this.#report("failure", reason),
      fault: "agent",
      metrics: this.#job.scorer.values("broken_off"),
      error: problem,
      explanation: `the agent failed after ${this.#steps} steps: ${problem.message}`,
    };
  }

  /** The deadline passed between two steps. The fault is the side's that used more time. */
  #outOfTime(): EpisodeReport {
    if (this.#agentMs > this.#simMs) return this.#agentFailed(new DeadlineError());
    return this.#invalid("platform", "timeout", new DeadlineError());
  }

  #finish(reason: string): EpisodeReport {
    const { task, scorer, episode } = this.#job;
    const metrics = scorer.values();
    const succeeded = metrics[task.primaryMetric] === 1;
    return {
      ...this.#report(succeeded ? "success" : "failure", reason),
      metrics,
      explanation: task.explain({
        ...{ succeeded, endReason: reason, episode },
        ...this.#summaryBuilder.summary,
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
      actions: this.#actions,
      simMs: this.#simMs,
      agentMs: this.#agentMs,
      latencyMs: latencySummary(this.#latencies),
      initialStateHash: this.#first ? hashState(this.#first) : null,
      finalStateHash: this.#first ? hashState(this.#summaryBuilder.summary.lastState) : null,
      nondeterministic: this.#job.simulator.deterministic === false,
      error: undefined,
      explanation: "",
    };
  }
}

/** JSON prints doubles exactly, so equal hashes mean equal bits. */
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
    return { code: "timeout", message: "the episode exceeded its time limit" };
  }
  const code = error instanceof RobotEvalError ? cleanText(error.code, MOST_CODE) : "error";
  return { code, message: cleanLines(errorMessage(error), MOST_MESSAGE) };
}
