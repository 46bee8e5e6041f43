import type { BaseEpisode } from "../core/episode/base.js";
import { ConfigError, errorMessage, StopRunError } from "../core/errors.js";
import type { Agent, AgentTask } from "../core/interfaces/agent.js";
import type { EpisodeLine, Fault } from "../core/interfaces/result.js";
import type { BaseSimulator } from "../core/interfaces/simulator.js";
import type { StepRecord } from "../core/interfaces/step.js";
import type { BaseMetric } from "../core/metric/base.js";
import { EpisodeScorer } from "../core/metric/scorer.js";
import type { BaseTask } from "../core/task/base.js";
import type { Registries } from "../registry/registries.js";
import { isManipulationSimulator } from "../simulator/manipulation/manipulation-simulator.js";
import { type EpisodeIdentity, identify, lineOf, platformFault } from "./episode-line.js";
import { type EpisodeReport, runEpisode } from "./episode-loop.js";
import type { TaskPlan } from "./prepare.js";
import type { Job } from "./queue.js";
import { openRecording } from "./recordings.js";

/** After which a simulator is taken to be gone for good. */
const MOST_FAILED_STARTS = 3;

/**
 * A simulator, an agent session and metrics that serve one episode of a task at a time. Several slots
 * side by side are concurrency.
 */
export class Slot {
  readonly plan: TaskPlan;
  #simulator: BaseSimulator | undefined;
  #agent: Agent;
  #agentIsAbsent = false;
  /** It failed and is closed; the next episode gets another. */
  #simulatorIsSpent = false;
  #failedStarts = 0;
  readonly #tools: SlotTools;
  readonly #metrics: readonly BaseMetric[];

  private constructor(
    plan: TaskPlan,
    simulator: BaseSimulator | undefined,
    agent: Agent,
    tools: SlotTools,
  ) {
    this.plan = plan;
    this.#simulator = simulator;
    this.#agent = agent;
    this.#tools = tools;
    this.#metrics = plan.judged.makeMetrics();
  }

  get simulator(): BaseSimulator | undefined {
    return this.#simulator;
  }

  static async open(plan: TaskPlan, tools: SlotTools): Promise<Slot> {
    const simulator = await makeSimulator(plan, plan.simulatorConfig, tools.logFolder);
    if (simulator && plan.agent.privileged && !showsItsState(simulator)) {
      await closeQuietly(simulator);
      throw new ConfigError(
        "not_privileged",
        `the agent ${plan.agentRef.name} needs a simulator that shows its true state, and ${plan.simulatorName} does not`,
      );
    }
    try {
      return new Slot(plan, simulator, await makeAgent(plan, tools), tools);
    } catch (error) {
      await closeQuietly(simulator);
      throw error;
    }
  }

  async run(job: Job, context: SlotContext): Promise<EpisodeLine> {
    const { judged } = this.plan;
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
    return lineOf(judged, job, identity, report, tookMs);
  }

  async close(): Promise<void> {
    await closeQuietly(this.#agent, this.#simulatorIsSpent ? undefined : this.simulator);
  }

  /**
   * A simulator that failed may be broken, and one that ran out of time is still at work: when it comes
   * to an end it would change the next episode's world under its feet. An agent that is still thinking
   * would answer the next episode's question with this one's action.
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
   * One that cannot be made now costs the next episode, which tries again. Several in a row end the run: a
   * simulator that is gone for good would cost every episode that is left, one time-out after the other.
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
          `the ${this.plan.simulatorName} simulator of ${this.plan.judged.name} could not be started ${MOST_FAILED_STARTS} times in a row: ${errorMessage(error)}`,
        );
      }
      const fail = () => Promise.reject(error);
      const { actionSpace } = this.plan.judged.task;
      this.#simulator = { reset: fail, step: fail, close: () => {}, actionSpace };
    }
  }

  /** One that cannot be made now, since its policy is gone, costs the next episode, which tries again. */
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

  async #report(
    { episode, repeat }: Job,
    { key, seed, agentSeed }: EpisodeIdentity,
    context: SlotContext,
  ): Promise<EpisodeReport> {
    const { plan, simulator } = this;
    if (!simulator) return unserved(plan);
    const task = plan.judged.taskFor(episode);
    let hopeless: StopRunError | undefined;
    const report = await runEpisode({
      seed,
      agentSeed,
      episode,
      episodeKey: key,
      repeat,
      task,
      simulator,
      agent: this.#agent,
      privileged: plan.agent.privileged === true,
      scorer: new EpisodeScorer(task, this.#metrics),
      disclosed: plan.disclosed,
      timeoutMs: timeoutMs(task),
      latency: plan.latency,
      onRecord: context.onRecord,
      onFault: (fault, error) => {
        if (error instanceof StopRunError) hopeless = error;
        context.onFault?.(key, fault, error);
      },
      now: context.now,
    });
    if (hopeless) throw hopeless;
    return report;
  }
}

/** A manipulation world has its view only once an episode is under way. */
function showsItsState(simulator: BaseSimulator): boolean {
  return simulator.privileged !== undefined || isManipulationSimulator(simulator);
}

/** Undefined where none serves the task. */
export async function makeSimulator(
  plan: TaskPlan,
  config: Readonly<Record<string, unknown>> = plan.simulatorConfig,
  logFolder?: Promise<string>,
): Promise<BaseSimulator | undefined> {
  const { name: taskName, task, graphs, scenes } = plan.judged;
  return plan.simulator?.create({ task, taskName, config, graphs, scenes, logFolder });
}

async function makeAgent(plan: TaskPlan, tools: SlotTools): Promise<Agent> {
  return plan.agent.create({
    argument: plan.agentRef.argument,
    task: agentTask(plan),
    policy: plan.policy,
    siblings: tools.lanes,
    recording: (ref) => openRecording(ref, plan, tools),
  });
}

function agentTask({ judged: { name, type, task } }: TaskPlan): AgentTask {
  const { family, actionSpace, conventions } = task;
  return { name, type, family, actionSpace, conventions };
}

/** The results are in: what goes wrong in closing must not cost them. */
async function closeQuietly(
  ...things: readonly (Agent | BaseSimulator | undefined)[]
): Promise<void> {
  await Promise.allSettled(things.map(async (thing) => thing?.close?.()));
}

/** What slots need beside their task. */
export interface SlotTools {
  readonly registries: Registries;
  /** Slots of each task in this thread. */
  readonly lanes: number;
  /** All of a task's episodes in this run: a recording is read for these. */
  episodesOf(plan: TaskPlan): Promise<readonly BaseEpisode[]>;
  /** For what simulators write; known when the run has begun. */
  readonly logFolder?: Promise<string> | undefined;
}

export interface SlotContext {
  /** The benchmark's. */
  readonly seed: number;
  readonly onRecord: (record: StepRecord) => void;
  readonly onFault?: (episodeKey: string, fault: Fault, error: unknown) => void;
  /** The episode is over, and its world still there. */
  readonly onOver?: (simulator: BaseSimulator) => Promise<void>;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

function unserved(plan: TaskPlan): EpisodeReport {
  const message = `no simulator here serves ${plan.judged.type} (${plan.judged.task.family})`;
  return platformFault("no_simulator", { code: "no_simulator", message });
}

/** How long an episode of this task may take. */
export function timeoutMs({ config }: Pick<BaseTask, "config">): number {
  return typeof config.timeout === "number" ? config.timeout * 1000 : Number.POSITIVE_INFINITY;
}
