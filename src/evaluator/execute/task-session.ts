import type { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError, errorMessage, StopRunError } from "../../core/errors.js";
import type { Agent } from "../../core/interfaces/agent.js";
import type { EpisodeLine, Fault } from "../../core/interfaces/result.js";
import type { BaseSimulator } from "../../core/interfaces/simulator.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { hash53 } from "../../core/math/hash.js";
import type { BaseMetric } from "../../core/metric/base.js";
import { EpisodeScorer } from "../../core/metric/scorer.js";
import { recordOf } from "../../core/perturbation/record.js";
import type { PolicyIdentity } from "../../core/policy-identity.js";
import type { BaseTask } from "../../core/task/base.js";
import type { Registries } from "../../registry/registries.js";
import { isManipulationSimulator } from "../../simulator/manipulation/manipulation-simulator.js";
import type { TaskPlan } from "../plan/prepare.js";
import type { Job } from "../plan/queue.js";
import { type EpisodeIdentity, identify, lineOf, platformFault } from "./episode-line.js";
import { EpisodeLoop, type EpisodeReport } from "./episode-loop.js";
import { PerturbedAgent } from "./perturbed-agent.js";
import { openRecording } from "./recordings.js";

/** Consecutive failed starts of a simulator that end the run. */
const MOST_FAILED_STARTS = 3;

/**
 * The simulator, agent session and metrics of one task. It runs one episode at a time; concurrent episodes
 * need several sessions.
 */
export class TaskSession {
  readonly plan: TaskPlan;
  #simulator: BaseSimulator | undefined;
  #agent: Agent;
  #agentIsAbsent = false;
  /** The simulator failed and is closed; the next episode starts a new one. */
  #simulatorIsSpent = false;
  #failedStarts = 0;
  readonly #tools: SessionTools;
  readonly #metrics: readonly BaseMetric[];

  private constructor(
    plan: TaskPlan,
    simulator: BaseSimulator | undefined,
    agent: Agent,
    tools: SessionTools,
  ) {
    this.plan = plan;
    this.#simulator = simulator;
    this.#agent = agent;
    this.#tools = tools;
    this.#metrics = plan.task.makeMetrics();
  }

  get simulator(): BaseSimulator | undefined {
    return this.#simulator;
  }

  /** What the agent says that it is. */
  get identity(): PolicyIdentity | undefined {
    return this.#agent.identity;
  }

  static async open(plan: TaskPlan, tools: SessionTools): Promise<TaskSession> {
    const simulator = await makeSimulator(plan, plan.simulatorConfig, tools.logFolder);
    if (simulator && plan.agent.privileged && !showsItsState(simulator)) {
      await closeQuietly(simulator);
      throw new ConfigError(
        "not_privileged",
        `the agent ${plan.agentRef.name} needs a simulator that shows its true state, and ${plan.simulatorName} does not`,
      );
    }
    try {
      const agent = await makeAgent(plan, tools, tools.connectWithinMs);
      return new TaskSession(plan, simulator, agent, tools);
    } catch (error) {
      await closeQuietly(simulator);
      throw error;
    }
  }

  async run(job: Job, context: EpisodeContext): Promise<EpisodeLine> {
    const { task } = this.plan;
    const identity = identify(job, context.seed);
    const started = context.now();
    if (this.#agentIsAbsent) await this.#replaceAgent();
    if (this.#simulatorIsSpent) await this.#replaceSimulator();
    const report = await this.#report(job, identity, context);
    const tookMs = context.now() - started;
    if (report.fault !== "platform" && report.initialStateHash !== null && this.#simulator) {
      await context.onOver?.(this.#simulator);
    }
    await this.#replaceFailed(report);
    return lineOf(task, job, identity, report, tookMs);
  }

  async close(): Promise<void> {
    await closeQuietly(this.#agent, this.#simulatorIsSpent ? undefined : this.simulator);
  }

  /**
   * Replaces a simulator that failed or timed out: a late step of it would change the next episode's state.
   * Replaces an agent that timed out: its late action would be taken for the next episode's.
   */
  async #replaceFailed({ fault, endReason }: EpisodeReport): Promise<void> {
    if (fault === "platform") {
      this.#simulatorIsSpent = true;
      await closeQuietly(this.#simulator);
      return;
    }
    this.#simulator?.rest?.();
    if (fault === "agent" && endReason === "timeout") {
      const old = this.#agent;
      await this.#replaceAgent();
      await closeQuietly(old);
    }
  }

  /**
   * A failed start makes the next episode invalid, and the one after it tries again. Several in a row end
   * the run: otherwise each remaining episode would wait for its timeout.
   */
  async #replaceSimulator(): Promise<void> {
    try {
      const { simulatorConfig } = this.plan;
      this.#simulator = await makeSimulator(this.plan, simulatorConfig, this.#tools.logFolder);
      this.#simulatorIsSpent = false;
      this.#failedStarts = 0;
    } catch (error) {
      if (++this.#failedStarts >= MOST_FAILED_STARTS) {
        throw new StopRunError(
          "no_simulator",
          `the ${this.plan.simulatorName} simulator of ${this.plan.task.name} could not be started ${MOST_FAILED_STARTS} times in a row: ${errorMessage(error)}`,
        );
      }
      const fail = () => Promise.reject(error);
      const { actionSpace } = this.plan.task.instance;
      this.#simulator = { reset: fail, step: fail, close: () => {}, actionSpace };
    }
  }

  /** A failed connection makes the next episode invalid, and the one after it tries again. */
  async #replaceAgent(): Promise<void> {
    try {
      this.#agent = await makeAgent(this.plan, this.#tools);
      this.#agentIsAbsent = false;
    } catch (error) {
      const fail = () => Promise.reject(error);
      this.#agent = { reset: fail, act: fail };
      this.#agentIsAbsent = true;
    }
  }

  /** The agent behind the perturbed channel of an episode, or itself. */
  #agentFor(episode: BaseEpisode, repeat: number): Agent {
    const { perturbation } = this.plan;
    const record = recordOf(episode);
    if (!perturbation?.axis.channel || !record) return this.#agent;
    const { value, seed, parameters = {} } = record;
    const drawn = repeat === 0 ? seed : hash53(`${seed}/${repeat}`);
    return new PerturbedAgent(
      this.#agent,
      perturbation.axis.channel({ value, seed: drawn, parameters }),
    );
  }

  async #report(
    { episode, repeat }: Job,
    { key, seed, agentSeed }: EpisodeIdentity,
    context: EpisodeContext,
  ): Promise<EpisodeReport> {
    const { plan, simulator } = this;
    if (!simulator) return unserved(plan);
    const task = plan.task.taskFor(episode);
    let stopRun: StopRunError | undefined;
    const report = await new EpisodeLoop({
      seed,
      agentSeed,
      episode,
      episodeKey: key,
      repeat,
      task,
      simulator,
      agent: this.#agentFor(episode, repeat),
      privileged: plan.agent.privileged === true,
      scorer: new EpisodeScorer(task, this.#metrics),
      disclosed: plan.disclosed,
      timeoutMs: timeoutMs(task),
      latency: plan.latency,
      onRecord: context.onRecord,
      onFault: (fault, error) => {
        if (error instanceof StopRunError) stopRun = error;
        context.onFault?.(key, fault, error);
      },
      now: context.now,
    }).run();
    if (stopRun) throw stopRun;
    return report;
  }
}

/** A manipulation simulator has a privileged view only during an episode, so its type decides. */
function showsItsState(simulator: BaseSimulator): boolean {
  return simulator.privileged !== undefined || isManipulationSimulator(simulator);
}

/** Undefined if no simulator serves the task. */
export async function makeSimulator(
  plan: TaskPlan,
  config: Readonly<Record<string, unknown>> = plan.simulatorConfig,
  logFolder?: Promise<string>,
): Promise<BaseSimulator | undefined> {
  const { name: taskName, instance: task, graphs, scenes } = plan.task;
  return plan.simulator?.create({ task, taskName, config, graphs, scenes, logFolder });
}

export async function makeAgent(
  plan: TaskPlan,
  tools: SessionTools,
  connectWithinMs?: number,
): Promise<Agent> {
  const { name, type, instance } = plan.task;
  const { family, actionSpace, conventions } = instance;
  return plan.agent.create({
    argument: plan.agentRef.argument,
    task: { name, type, family, actionSpace, conventions },
    policy: plan.policy,
    siblings: tools.siblings,
    connectWithinMs,
    recording: (ref) => openRecording(ref, plan, tools),
  });
}

/** Ignores errors: results are recorded before anything is closed. */
async function closeQuietly(
  ...things: readonly (Agent | BaseSimulator | undefined)[]
): Promise<void> {
  await Promise.allSettled(things.map(async (thing) => thing?.close?.()));
}

/** What a session needs besides its task. */
export interface SessionTools {
  readonly registries: Registries;
  /** Sessions of the same task in this thread, this one included. */
  readonly siblings: number;
  /** Limit for the first connection to a policy, in milliseconds, if another thread has already connected. */
  readonly connectWithinMs?: number | undefined;
  /** All episodes of a task in this run, which a recorded submission needs. Default: those of the plan. */
  episodesOf?(plan: TaskPlan): Promise<readonly BaseEpisode[]>;
  /** Folder for simulator logs; resolves once the run directory exists. */
  readonly logFolder?: Promise<string> | undefined;
}

export interface EpisodeContext {
  /** The benchmark's seed. */
  readonly seed: number;
  readonly onRecord: (record: StepRecord) => void;
  readonly onFault?: (episodeKey: string, fault: Fault, error: unknown) => void;
  /** Called after the episode, while the simulator still holds its world. */
  readonly onOver?: (simulator: BaseSimulator) => Promise<void>;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

function unserved(plan: TaskPlan): EpisodeReport {
  const message = `no simulator serves ${plan.task.type} (${plan.task.instance.family})`;
  return platformFault("no_simulator", { code: "no_simulator", message });
}

/** Time limit of an episode of this task. */
export function timeoutMs({ config }: Pick<BaseTask, "config">): number {
  return typeof config.timeout === "number" ? config.timeout * 1000 : Number.POSITIVE_INFINITY;
}
