import type { LoadedConfig } from "../../../config/load.js";
import type { BaseEpisode } from "../../../core/episode/base.js";
import { ConfigError, DataError } from "../../../core/errors.js";
import { createRegistries } from "../../../registry/registries.js";
import { versionOf } from "../../../simulator/frozen/check-engine.js";
import { frozenConfig } from "../../../simulator/frozen/config.js";
import { FrozenSimulator } from "../../../simulator/frozen/frozen-simulator.js";
import {
  type BoundaryState,
  type Rollout,
  readRecord,
} from "../../../simulator/frozen/rollouts.js";
import { startOf } from "../../../simulator/frozen/start.js";
import { type FrozenWorld, readFrozenWorld } from "../../../simulator/frozen/world-files.js";
import { prepareRun, type TaskPlan } from "../../plan/prepare.js";
import { compareFrames, type DrawnState, readFrames } from "./compare-frames.js";
import { TOLERANCE } from "./compare-rollout.js";
import type { FramesParity, ParityReport, RolloutParity, WorldParity } from "./documents.js";
import { judgeBoundary } from "./judge-boundary.js";
import { replayRollout } from "./replay-rollout.js";
import { rememberVerdict } from "./verdicts.js";

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
    tolerance: TOLERANCE,
    worlds,
    passed: worlds.every(({ passed }) => passed),
  };
}

async function worldsOf(plan: TaskPlan, options: ParityOptions): Promise<readonly WorldParity[]> {
  const ids = [...new Set(plan.episodes.map(({ sceneId }) => sceneId))];
  // All observations, no cameras.
  const simulator = simulatorOf(plan);
  try {
    const worlds: WorldParity[] = [];
    for (const id of ids) worlds.push(await worldParity(plan, id, simulator, options));
    return worlds;
  } finally {
    simulator.close();
  }
}

function simulatorOf({ task, simulatorConfig }: TaskPlan, sensors?: object): FrozenSimulator {
  return new FrozenSimulator({
    task: task.instance,
    taskName: task.name,
    // What another engine does is what the table is for.
    config: { ...simulatorConfig, sensors, any_engine: true },
    scenes: task.scenes,
  });
}

async function worldParity(
  plan: TaskPlan,
  sceneId: string,
  simulator: FrozenSimulator,
  { onProgress, signal }: ParityOptions,
): Promise<WorldParity> {
  const { task, episodes, simulatorConfig } = plan;
  const path = await task.scenes?.locate(sceneId);
  if (path === undefined) throw new ConfigError("no_scenes", "simulator.scenes is not set");
  const world = await readFrozenWorld(path);
  const { rollouts, boundaries } = await readRecord(world);
  const episodeOf = ({ episode_id, qpos }: Rollout | BoundaryState) => {
    const episode = episodes.find((one) => one.sceneId === sceneId && one.episodeId === episode_id);
    if (!episode) {
      throw new DataError(
        "unknown_episode",
        `the rollouts name episode ${episode_id}, which the dataset does not have`,
        {
          where: path,
          hint: "check the parity of the whole dataset, without a limit or a filter",
        },
      );
    }
    checkPositions(qpos, episode, path);
    return episode;
  };
  // Everything is checked before the replays, which take minutes.
  const replays = rollouts.map((rollout) => ({ rollout, episode: episodeOf(rollout) }));
  const states = boundaries.map((boundary) => ({ boundary, episode: episodeOf(boundary) }));
  const drawn = await readFrames(world, replays);
  const observed = Object.keys(world.description.observations);
  const found: RolloutParity[] = [];
  for (const { rollout, episode } of replays) {
    signal?.throwIfAborted();
    found.push(await replayRollout(simulator, task.taskFor(episode), episode, rollout, observed));
    onProgress?.(`${world.description.world}: ${found.length} of ${rollouts.length} rollouts`);
  }
  const different: BoundaryState[] = [];
  for (const { boundary, episode } of states) {
    signal?.throwIfAborted();
    const holds = await judgeBoundary(simulator, task.taskFor(episode), episode, boundary);
    if (holds !== boundary.success) different.push(boundary);
  }
  signal?.throwIfAborted();
  const frames = await framesParity(plan, world, drawn);
  return {
    task: task.name,
    world: world.description.world,
    world_sha256: world.sha256,
    frozen_engine: world.description.engine.version,
    engine: await versionOf(frozenConfig.parse(simulatorConfig).engine),
    ...summaryOf(found),
    boundaries: {
      states: boundaries.length,
      inside: boundaries.filter(({ success }) => success).length,
      different: different.map(({ episode_id, name }) => ({ episode_id, name })),
    },
    frames,
    passed: agree(found) && different.length === 0,
  };
}

/** Compares frames in a simulator of its own, which has the cameras as sensors. */
async function framesParity(
  plan: TaskPlan,
  world: FrozenWorld,
  drawn: readonly DrawnState[],
): Promise<FramesParity | null> {
  const cameras = drawn.map(({ frame }) => [`${frame.camera}_image`, {}] as const);
  const simulator = simulatorOf(plan, Object.fromEntries(cameras));
  try {
    return await compareFrames(simulator, world, drawn);
  } finally {
    simulator.close();
  }
}

/** A rollout or a boundary state of another model would be compared in part, or not at all. */
function checkPositions(
  qpos: readonly number[] | readonly (readonly number[])[],
  episode: BaseEpisode,
  where: string,
): void {
  const expected = startOf(episode).state.qpos.length;
  const rows = qpos.map((row) => (typeof row === "number" ? qpos.length : row.length));
  const width = rows.length === 0 ? 0 : rows.find((length) => length !== expected);
  if (width === undefined) return;
  throw new DataError(
    "bad_rollouts",
    `a row of positions of episode ${episode.episodeId} has ${width} numbers; its initial state has ${expected}`,
    { where, hint: "write the world again with python -m robot_eval_client.freeze" },
  );
}

/** A world of which nothing could be compared does not pass. */
function agree(rollouts: readonly RolloutParity[]): boolean {
  return (
    rollouts.some(({ compared_steps }) => compared_steps > 0) &&
    rollouts.every(
      ({ failure, success }) => failure === null && success.original === success.replay,
    )
  );
}

function summaryOf(rollouts: readonly RolloutParity[]) {
  const most = (numberOf: (rollout: RolloutParity) => number) =>
    rollouts.reduce((so, rollout) => Math.max(so, numberOf(rollout)), 0);
  const sum = (numberOf: (rollout: RolloutParity) => number) =>
    rollouts.reduce((so, rollout) => so + numberOf(rollout), 0);
  const chaotic_steps = sum((rollout) => rollout.chaotic_steps);
  return {
    rollouts,
    compared_steps: sum((rollout) => rollout.compared_steps),
    chaotic_steps,
    compared_positions:
      sum(({ compared_positions, steps }) => compared_positions * steps) /
      sum(({ steps }) => steps),
    max_qpos_error: most((rollout) => rollout.max_qpos_error),
    max_ee_error_m: most((rollout) => rollout.max_ee_error_m),
    max_chaotic_qpos_error:
      chaotic_steps > 0 ? most((rollout) => rollout.max_chaotic_qpos_error ?? 0) : null,
    failed_rollouts: sum(({ failure }) => (failure === null ? 0 : 1)),
    success_agreement:
      sum(({ success }) => (success.original === success.replay ? 1 : 0)) / rollouts.length,
  };
}
