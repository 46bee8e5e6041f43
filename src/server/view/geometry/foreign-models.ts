import type { EpisodeLine } from "../../../core/interfaces/result.js";
import { scanMjcf } from "../../../core/mjcf/scan.js";
import { readGeometry } from "../../../runs/directory/geometry.js";
import type { RunDirectory } from "../../../runs/directory/run-directory.js";
import { Physics } from "../../../simulator/manipulation/physics/physics.js";

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
export async function withModel<T>(
  run: RunDirectory,
  line: Pick<EpisodeLine, "geometry">,
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

async function compiled(
  run: RunDirectory,
  line: Pick<EpisodeLine, "geometry">,
): Promise<ForeignModel> {
  const { mjcf, files, groups } = await readGeometry(run.path, line);
  const where = line.geometry ?? "";
  const physics = await Physics.create(withoutSolver(mjcf), { files, where });
  return { physics, groups };
}

/**
 * Disables contacts and constraints. Shown models are posed and never simulated, and hundreds of overlapping bodies
 * would occupy the server for minutes.
 */
function withoutSolver(mjcf: string): string {
  const end = scanMjcf(mjcf).findLast(({ tag, kind }) => tag === "mujoco" && kind === "close");
  if (!end) return mjcf;
  const flags = '<option><flag contact="disable" constraint="disable"/></option>';
  return mjcf.slice(0, end.start) + flags + mjcf.slice(end.start);
}
