import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { episodeLine, runInfo, temporaryFolder } from "../../../test/support/cli.js";
import { BaseEpisode, type EpisodeInit } from "../../core/episode/base.js";
import type { EpisodeLine, RunInfo } from "../../core/interfaces/result.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { headingToQuatXyzw } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { createRegistries } from "../../registry/registries.js";
import { RunDirectory } from "../directory/run-directory.js";
import { TrajectoryBuffer } from "../directory/trajectory.js";
import { type ExportOptions, exportRun } from "./export.js";

/** A result line and its optional steps. */
export interface Recorded {
  readonly line?: Partial<EpisodeLine>;
  readonly episode?: Partial<EpisodeInit>;
  readonly records?: readonly StepRecord[];
}

/** Writes a run directory with made-up episodes in the layout of `run`, and returns its path. */
export async function makeRun(
  episodes: readonly Recorded[],
  info: Partial<RunInfo> = {},
): Promise<string> {
  const folder = join(temporaryFolder(), "a-run");
  mkdirSync(join(folder, "trajectories"), { recursive: true });
  const lines: EpisodeLine[] = [];
  for (const { line: partial = {}, episode, records } of episodes) {
    const steps = records ? records.length - 1 : 0;
    const line = episodeLine({ profile: "vlnce", steps, ...partial });
    const trajectory = RunDirectory.trajectoryName(line);
    if (records) await write(join(folder, trajectory), line, episode, records);
    lines.push(records ? { ...line, trajectory } : line);
  }
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(join(folder, "episodes.jsonl"), text);
  const run = runInfo({ status: "done", config: CONFIG, ...info });
  writeFileSync(join(folder, "run.json"), JSON.stringify(run));
  return folder;
}

const CONFIG = {
  vln_task: { type: "vln", config: {} },
  pick_place_task: { type: "pick_place", config: {} },
};

async function write(
  path: string,
  line: EpisodeLine,
  episode: Partial<EpisodeInit> = {},
  records: readonly StepRecord[],
): Promise<void> {
  const { episode_id: episodeId, scene_id: sceneId, task_type: taskType } = line;
  const buffer = new TrajectoryBuffer(
    new BaseEpisode({ episodeId, sceneId, taskType, ...episode }),
  );
  for (const record of records) buffer.add(record);
  await buffer.write(path);
}

/** Steps of a navigation episode from action, position and heading. */
export function walk(
  ...steps: readonly (readonly [action: string | null, position: Vec3, heading: number])[]
): StepRecord[] {
  return steps.map(([action, position, heading], step) => ({
    step,
    action,
    state: { position, rotation: headingToQuatXyzw(heading), heading, distance_to_goal: 1 },
  }));
}

/** One step forward from the origin, a left turn, and stop. */
export const WALK = walk(
  [null, [0, 0, 0], 0],
  ["move_forward", [0, 0, -0.25], 0],
  ["turn_left", [0, 0, -0.25], 0.25],
  ["stop", [0, 0, -0.25], 0.25],
);

/** Two actions of an arm with seven joints and one object, at 20 steps per second. */
export const REACH: readonly StepRecord[] = [0, 1, 2].map((step) => ({
  step,
  time_s: step / 20,
  action: step === 0 ? null : [step, 0, 0, 0, 0, 0, 0.5],
  state: {
    qpos: [0, 1, 2, 3, 4, 5, step],
    ee_pose: [0.5, step / 10, 1, 1, 0, 0, 0],
    objects: { cup: { position: [1, 0, 0.5], rotation_wxyz: [1, 0, 0, 0] } },
    conditions: [{ name: "lifted", value: step / 10, threshold: 0.1, holds: step > 1 }],
    success: step === 2,
  },
}));

/** Exports in this process and returns the report. */
export function exported(path: string, options: Partial<ExportOptions>) {
  const out = join(temporaryFolder(), "out");
  return exportRun({ path, to: "csv", out, registries: createRegistries(), ...options });
}
