import type { EpisodeLine } from "../../../core/interfaces/result.js";
import { readGeometry } from "../../../runs/geometry.js";
import type { RunDirectory } from "../../../runs/run-directory.js";
import { Physics } from "../../../simulator/manipulation/physics.js";

interface ForeignModel {
  readonly physics: Physics;
  /** Geom groups to look at, where the simulator named them. */
  readonly groups: readonly number[] | undefined;
}

/**
 * The last one that was used, while nobody uses it: a page asks for its scene and then for its track, and compiling a
 * model with a robot's meshes takes seconds. No more than one, since each takes a hundred megabytes and more.
 */
let idle: { readonly key: string; readonly model: ForeignModel } | undefined;

/** Lends the model that a line's world was recorded with, its joints at rest. */
export async function withModel<T>(
  run: RunDirectory,
  line: EpisodeLine,
  use: (model: ForeignModel) => T | Promise<T>,
): Promise<T> {
  // The name of a geometry tells its content, but whether all of it is still there is the run's matter.
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
  // Two at a time have one each.
  idle?.model.physics.dispose();
  idle = { key, model };
}

async function compiled(run: RunDirectory, line: EpisodeLine): Promise<ForeignModel> {
  const { mjcf, files, groups } = await readGeometry(run.path, line);
  const physics = await Physics.create(mjcf, { files, where: line.geometry ?? "" });
  return { physics, groups };
}
