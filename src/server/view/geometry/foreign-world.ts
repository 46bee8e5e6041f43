import { DataError } from "../../../core/errors.js";
import type { EpisodeLine } from "../../../core/interfaces/result.js";
import type { StepState } from "../../../core/interfaces/step.js";
import type { RunDirectory } from "../../../runs/directory/run-directory.js";
import type { Trajectory } from "../../../runs/directory/trajectory.js";
import type { Physics } from "../../../simulator/manipulation/physics/physics.js";
import { visibleGeoms } from "../../../simulator/manipulation/visual/scene.js";
import { writeGlb } from "../../../simulator/scenes/gltf/export-glb.js";
import type { PoseTrack } from "../documents.js";
import { withBrowserTextures } from "./browser-textures.js";
import { withModel } from "./foreign-models.js";
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
    const { model, stand } = worldModel(line.scene_id, {
      physics,
      geoms: visibleGeoms(physics.geoms(), groups),
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
