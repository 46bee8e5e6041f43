import type { EpisodeLine } from "../../../core/interfaces/result.js";
import { readGeometry } from "../../../runs/geometry.js";
import type { RunDirectory } from "../../../runs/run-directory.js";
import { Physics } from "../../../simulator/manipulation/physics.js";

/** A page asks for its scene and then for its track; a second model is there for who goes back and forth. */
const MODELS_KEPT = 2;

interface ForeignModel {
  readonly physics: Physics;
  /** Geom groups to look at, where the simulator named them. */
  readonly groups: readonly number[] | undefined;
}

/** Nobody uses them now. In the order of their last use; compiling one with a robot's meshes takes seconds. */
const idle = new Map<string, ForeignModel>();

/** Lends the model that a line's world was recorded with, its joints at rest. */
export async function withModel<T>(
  run: RunDirectory,
  line: EpisodeLine,
  use: (model: ForeignModel) => T | Promise<T>,
): Promise<T> {
  // The name of a geometry tells its content, but whether all of it is still there is the run's matter.
  const key = JSON.stringify([run.path, line.geometry]);
  const kept = idle.get(key);
  idle.delete(key);
  kept?.physics.reset();
  const model = kept ?? (await compiled(run, line));
  try {
    return await use(model);
  } finally {
    keep(key, model);
  }
}

async function compiled(run: RunDirectory, line: EpisodeLine): Promise<ForeignModel> {
  const { mjcf, files, groups } = await readGeometry(run.path, line);
  const physics = await Physics.create(mjcf, { files, where: line.geometry ?? "" });
  return { physics, groups };
}

function keep(key: string, model: ForeignModel): void {
  // Two at a time have one each, of which one is enough.
  idle.get(key)?.physics.dispose();
  idle.delete(key);
  idle.set(key, model);
  for (const [oldest, { physics }] of [...idle].slice(0, -MODELS_KEPT)) {
    physics.dispose();
    idle.delete(oldest);
  }
}
