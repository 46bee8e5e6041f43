import type { LoadedConfig } from "../../../config/load.js";
import { ConfigError, DataError } from "../../../core/errors.js";
import { createRegistries } from "../../../registry/registries.js";
import { embeddedVersion } from "../../../simulator/frozen/check-engine.js";
import { FrozenSimulator } from "../../../simulator/frozen/frozen-simulator.js";
import { type BoundaryState, readRecord } from "../../../simulator/frozen/rollouts.js";
import { readFrozenWorld } from "../../../simulator/frozen/world-files.js";
import { prepareRun, type TaskPlan } from "../../plan/prepare.js";
import type { ParityReport, RolloutParity, WorldParity } from "./documents.js";
import { judgeBoundary } from "./judge-boundary.js";
import { replayRollout } from "./replay-rollout.js";
import { rememberVerdict } from "./verdicts.js";

/** Positions of the same engine differ in the last digits; contacts amplify them. */
const TOLERANCE_QPOS = 1e-6;

export interface ParityOptions {
  readonly onProgress?: ((text: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Replays the rollouts that were recorded in the originals of a benchmark's frozen worlds. */
export async function checkParity(
  loaded: LoadedConfig,
  options: ParityOptions = {},
): Promise<ParityReport> {
  const plan = await prepareRun(loaded, { registries: createRegistries(), agent: "random" });
  const tasks = plan.tasks.filter(({ simulatorName }) => simulatorName === "frozen");
  if (tasks.length === 0) {
    throw new ConfigError("not_frozen", "no task of the benchmark runs on the frozen simulator", {
      where: loaded.file,
      hint: "parity is checked for folders that python -m robot_eval_client.freeze wrote: robot-eval parity <folder>/benchmark.yaml",
    });
  }
  const worlds: WorldParity[] = [];
  for (const task of tasks) worlds.push(...(await worldsOf(task, options)));
  const now = new Date();
  for (const world of worlds) await rememberVerdict(world, now);
  return {
    benchmark: loaded.config.benchmark.name,
    tolerance_qpos: TOLERANCE_QPOS,
    worlds,
    passed: worlds.every(({ passed }) => passed),
  };
}

async function worldsOf(plan: TaskPlan, options: ParityOptions): Promise<readonly WorldParity[]> {
  const ids = [...new Set(plan.episodes.map(({ sceneId }) => sceneId))];
  const { task, simulatorConfig } = plan;
  // All observations, no cameras; what another engine does is what the table is for.
  const { sensors: _, ...config } = simulatorConfig;
  const simulator = new FrozenSimulator({
    task: task.instance,
    taskName: task.name,
    config: { ...config, any_engine: true },
    scenes: task.scenes,
  });
  try {
    const worlds: WorldParity[] = [];
    for (const id of ids) worlds.push(await worldParity(plan, id, simulator, options));
    return worlds;
  } finally {
    simulator.close();
  }
}

async function worldParity(
  { task, episodes }: TaskPlan,
  sceneId: string,
  simulator: FrozenSimulator,
  { onProgress, signal }: ParityOptions,
): Promise<WorldParity> {
  const path = await task.scenes?.locate(sceneId);
  if (path === undefined) throw new ConfigError("no_scenes", "simulator.scenes is not set");
  const world = await readFrozenWorld(path);
  const { rollouts, boundaries } = await readRecord(world);
  const episodeOf = (id: string) => {
    const episode = episodes.find((one) => one.sceneId === sceneId && one.episodeId === id);
    if (episode) return episode;
    throw new DataError(
      "unknown_episode",
      `the rollouts name episode ${id}, which the dataset does not have`,
      {
        where: path,
        hint: "check the parity of the whole dataset, without a limit or a filter",
      },
    );
  };
  const found: RolloutParity[] = [];
  for (const rollout of rollouts) {
    signal?.throwIfAborted();
    const episode = episodeOf(rollout.episode_id);
    const judge = task.taskFor(episode);
    found.push(await replayRollout(simulator, judge, episode, rollout, TOLERANCE_QPOS));
    onProgress?.(`${world.description.world}: ${found.length} of ${rollouts.length} rollouts`);
  }
  const different: BoundaryState[] = [];
  for (const boundary of boundaries) {
    signal?.throwIfAborted();
    const episode = episodeOf(boundary.episode_id);
    const holds = await judgeBoundary(simulator, task.taskFor(episode), episode, boundary);
    if (holds !== boundary.success) different.push(boundary);
  }
  const stable = found.filter(({ sensitivity }) => sensitivity <= TOLERANCE_QPOS);
  const steps = stable.flatMap(({ first_step_over }) => first_step_over ?? []);
  const agreeing = found.filter(({ success }) => success.original === success.replay).length;
  return {
    task: task.name,
    world: world.description.world,
    world_sha256: world.sha256,
    frozen_engine: world.description.engine.version,
    engine: await embeddedVersion(),
    rollouts: found,
    chaotic: found.length - stable.length,
    max_qpos_error: Math.max(0, ...stable.map(({ max_qpos_error }) => max_qpos_error)),
    max_ee_error_m: Math.max(0, ...stable.map(({ max_ee_error_m }) => max_ee_error_m)),
    first_step_over: steps.length > 0 ? Math.min(...steps) : null,
    success_agreement: agreeing / found.length,
    boundaries: {
      states: boundaries.length,
      inside: boundaries.filter(({ success }) => success).length,
      different: different.map(({ episode_id, name }) => ({ episode_id, name })),
    },
    passed: steps.length === 0 && agreeing === found.length && different.length === 0,
  };
}
