import { type BaseEpisode, episodeKey } from "../core/episode/base.js";
import { ConfigError } from "../core/errors.js";
import type { Agent } from "../core/interfaces/agent.js";
import type { EpisodeLine, Fault } from "../core/interfaces/result.js";
import type { BaseSimulator } from "../core/interfaces/simulator.js";
import type { StepRecord } from "../core/interfaces/step.js";
import type { BaseMetric } from "../core/metric/base.js";
import { EpisodeScorer } from "../core/metric/scorer.js";
import type { Registries } from "../registry/registries.js";
import { type EpisodeReport, runEpisode } from "./episode-loop.js";
import type { TaskPlan } from "./prepare.js";
import { openRecording } from "./recordings.js";
import { agentSeed, episodeSeed } from "./seeding.js";

/**
 * A simulator, an agent session and metrics that serve one episode of a task at a time. Several slots
 * side by side are concurrency.
 */
export class Slot {
  readonly plan: TaskPlan;
  #simulator: BaseSimulator | undefined;
  #agent: Agent;
  readonly #registries: Registries;
  readonly #metrics: readonly BaseMetric[];

  private constructor(
    plan: TaskPlan,
    simulator: BaseSimulator | undefined,
    agent: Agent,
    registries: Registries,
  ) {
    this.plan = plan;
    this.#simulator = simulator;
    this.#agent = agent;
    this.#registries = registries;
    this.#metrics = plan.judged.makeMetrics();
  }

  get simulator(): BaseSimulator | undefined {
    return this.#simulator;
  }

  static async open(plan: TaskPlan, registries: Registries): Promise<Slot> {
    const simulator = await makeSimulator(plan);
    if (simulator && plan.agent.privileged && !simulator.privileged) {
      throw new ConfigError(
        "not_privileged",
        `the agent ${plan.agentRef.name} needs a simulator that shows its true state, and ${plan.simulatorName} does not`,
      );
    }
    return new Slot(plan, simulator, await makeAgent(plan, registries), registries);
  }

  async run(episode: BaseEpisode, context: SlotContext): Promise<EpisodeLine> {
    const { name, type, profile } = this.plan.judged;
    const key = episodeKey(name, episode.sceneId, episode.episodeId);
    const repeat = 0;
    const seeds = {
      seed: episodeSeed(context.seed, key),
      agentSeed: agentSeed(context.seed, key, repeat),
    };
    const started = context.now();
    const report = await this.#report(episode, key, seeds, context);
    await this.#replaceFailed(report);
    return {
      episode_key: key,
      episode_id: episode.episodeId,
      scene_id: episode.sceneId,
      task: name,
      task_type: type,
      repeat,
      attempt: 1,
      seed: seeds.seed,
      agent_seed: seeds.agentSeed,
      outcome: report.outcome,
      ...(report.fault ? { fault: report.fault } : {}),
      end_reason: report.endReason,
      metrics: report.metrics,
      profile,
      steps: report.steps,
      wall_ms: context.now() - started,
      sim_ms: report.simMs,
      agent_ms: report.agentMs,
      agent_latency_ms: report.latencyMs,
      initial_state_hash: report.initialStateHash,
      final_state_hash: report.finalStateHash,
      trajectory: null,
      ...(report.error ? { error: report.error } : {}),
      explanation: report.explanation,
    };
  }

  async close(): Promise<void> {
    await closeQuietly(this.#agent, this.simulator);
  }

  /**
   * A simulator that failed may be broken, and one that ran out of time is still at work: when it comes
   * to an end it would change the next episode's world under its feet. An agent that is still thinking
   * would answer the next episode's question with this one's action.
   */
  async #replaceFailed({ fault, endReason }: EpisodeReport): Promise<void> {
    if (fault === "platform") {
      const old = this.#simulator;
      this.#simulator = await makeSimulator(this.plan);
      await closeQuietly(old);
    } else if (fault === "agent" && endReason === "timeout") {
      const old = this.#agent;
      this.#agent = await makeAgent(this.plan, this.#registries);
      await closeQuietly(old);
    }
  }

  async #report(
    episode: BaseEpisode,
    key: string,
    seeds: { readonly seed: number; readonly agentSeed: number },
    context: SlotContext,
  ): Promise<EpisodeReport> {
    const { plan, simulator } = this;
    if (!simulator) return unserved(plan);
    const task = plan.judged.taskFor(episode);
    const timeoutS = task.config.timeout;
    return runEpisode({
      ...seeds,
      episode,
      episodeKey: key,
      task,
      simulator,
      agent: this.#agent,
      privileged: plan.agent.privileged === true,
      scorer: new EpisodeScorer(task, this.#metrics),
      disclosed: plan.disclosed,
      timeoutMs: typeof timeoutS === "number" ? timeoutS * 1000 : Number.POSITIVE_INFINITY,
      onRecord: context.onRecord,
      onFault: (fault, error) => context.onFault?.(key, fault, error),
      now: context.now,
    });
  }
}

async function makeSimulator(plan: TaskPlan): Promise<BaseSimulator | undefined> {
  const { task, graphs } = plan.judged;
  return plan.simulator?.create({ task, config: plan.simulatorConfig, graphs });
}

async function makeAgent(plan: TaskPlan, registries: Registries): Promise<Agent> {
  return plan.agent.create({
    argument: plan.agentRef.argument,
    recording: (ref) => openRecording(ref, plan, registries),
  });
}

/** The results are in: what goes wrong in closing must not cost them. */
async function closeQuietly(
  ...things: readonly (Agent | BaseSimulator | undefined)[]
): Promise<void> {
  await Promise.allSettled(things.map(async (thing) => thing?.close?.()));
}

export interface SlotContext {
  /** The benchmark's. */
  readonly seed: number;
  readonly onRecord: (record: StepRecord) => void;
  readonly onFault?: (episodeKey: string, fault: Fault, error: unknown) => void;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

function unserved(plan: TaskPlan): EpisodeReport {
  const message = `no simulator here serves ${plan.judged.type} (${plan.judged.task.family})`;
  return {
    outcome: "invalid",
    fault: "platform",
    endReason: "no_simulator",
    metrics: {},
    steps: 0,
    simMs: 0,
    agentMs: 0,
    latencyMs: null,
    initialStateHash: null,
    finalStateHash: null,
    error: { code: "no_simulator", message },
    explanation: `not counted (platform fault): ${message}`,
  };
}
