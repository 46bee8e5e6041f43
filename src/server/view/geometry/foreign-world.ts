import { DataError } from "../../../core/errors.js";
import type { EpisodeLine } from "../../../core/interfaces/result.js";
import type { StepState } from "../../../core/interfaces/step.js";
import { readGeometry } from "../../../runs/directory/geometry.js";
import type { RunDirectory } from "../../../runs/directory/run-directory.js";
import type { Trajectory } from "../../../runs/directory/trajectory.js";
import { Physics } from "../../../simulator/manipulation/physics/physics.js";
import { visibleGeoms } from "../../../simulator/manipulation/visual/scene.js";
import { writeGlb } from "../../../simulator/scenes/gltf/export-glb.js";
import type { PoseTrack } from "../documents.js";
import { withBrowserTextures } from "./browser-textures.js";
import { trackOf } from "./pose-track-of.js";
import type { SceneFile } from "./scene-glb.js";
import { nameOfBytes } from "./scene-name.js";
import { worldModel } from "./world-model.js";

/** The recorded world of an external simulator after reset. */
export function foreignGlb(
  run: RunDirectory,
  line: EpisodeLine,
  { records }: Trajectory,
): Promise<SceneFile> {
  return withModel(run, line, async ({ physics, groups }) => {
    const [first] = records;
    if (first) place(physics, first.state, line);
    const isSeen = groups && new Set(groups);
    const geoms = physics.geoms();
    const { model, stand } = worldModel(line.scene_id, {
      physics,
      geoms: isSeen ? geoms.filter(({ group }) => isSeen.has(group)) : visibleGeoms(geoms),
      light: { intensity: 1, color: [1, 1, 1] },
      categories: [],
    });
    const bytes = await writeGlb(await withBrowserTextures(model), { lossy: true, stand });
    return { name: nameOfBytes(line.scene_id, bytes), bytes };
  });
}

/** Body poses from the recorded joints, without simulating. */
export function foreignTrack(
  run: RunDirectory,
  line: EpisodeLine,
  { records }: Trajectory,
): Promise<PoseTrack> {
  return withModel(run, line, ({ physics }) =>
    trackOf(records.length, async (visit) => {
      for (const { state, step } of records) {
        place(physics, state, line);
        visit(physics, step);
      }
    }),
  );
}

/**
 * Sets the joints to a recorded state: from `qpos` if it covers the whole model, else from `sim_state`, which holds
 * time, positions and velocities.
 */
function place(physics: Physics, { qpos, sim_state }: StepState, line: EpisodeLine): void {
  const { positions, velocities } = physics.counts();
  const found = [numbersIn(qpos), numbersIn(sim_state)?.slice(1, 1 + positions)].find(
    (numbers, i) =>
      numbers?.length === positions &&
      (i === 0 || (numbersIn(sim_state)?.length ?? 0) >= 1 + positions + velocities),
  );
  if (found) {
    physics.setPositions(found);
    return;
  }
  throw new DataError(
    "other_joints",
    `the states have no joint positions of this model, which has ${positions}`,
    { where: line.episode_key, hint: "the simulator records them as `qpos` or in `sim_state`" },
  );
}

function numbersIn(value: unknown): readonly number[] | undefined {
  const isVector = Array.isArray(value) && value.every((n) => typeof n === "number");
  return isVector ? value : undefined;
}

interface ForeignModel {
  readonly physics: Physics;
  /** Geom groups to show; undefined if the simulator named none. */
  readonly groups: readonly number[] | undefined;
}

/**
 * The model used last, while it is not in use: a page requests its scene and then its track, and compiling a model
 * with a robot's meshes takes seconds. Only one is kept, because each takes 100 MB or more.
 */
let idle: { readonly key: string; readonly model: ForeignModel } | undefined;

/** Calls a function with the model of a line's world, its joints at rest. */
async function withModel<T>(
  run: RunDirectory,
  line: EpisodeLine,
  use: (model: ForeignModel) => T | Promise<T>,
): Promise<T> {
  // The geometry's name identifies its content; the run's path is part of the key because its files may be missing.
  const key = JSON.stringify([run.path, line.geometry]);
  const kept = idle;
  idle = undefined;
  if (kept?.key === key) kept.model.physics.reset();
  else kept?.model.physics.dispose();
  const model = kept?.key === key ? kept.model : await compiled(run, line);
  try {
    return await use(model);
  } finally {
    keep(key, model);
  }
}

function keep(key: string, model: ForeignModel): void {
  // Concurrent users each have their own model; keep one.
  idle?.model.physics.dispose();
  idle = { key, model };
}

async function compiled(run: RunDirectory, line: EpisodeLine): Promise<ForeignModel> {
  const { mjcf, files, groups } = await readGeometry(run.path, line);
  const physics = await Physics.create(mjcf, { files, where: line.geometry ?? "" });
  return { physics, groups };
}
