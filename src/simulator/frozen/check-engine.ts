import { DataError } from "../../core/errors.js";
import { type Engine, engineFor, generationOf } from "../manipulation/physics/engine/names.js";
import { loadMujoco } from "../manipulation/physics/mujoco.js";

/** The version of an engine. */
export async function versionOf(engine: Engine): Promise<string> {
  return (await loadMujoco(engine)).mj_versionString();
}

/** @throws DataError if a world was frozen with a version whose contacts differ */
export async function checkEngine(version: string, engine: Engine, where: string): Promise<void> {
  const playing = await versionOf(engine);
  if (generationOf(version) === generationOf(playing)) return;
  throw new DataError(
    "other_engine",
    `the world was frozen with MuJoCo ${version}, and simulator.engine is ${engine} (${playing}): contacts differ, so results are not those of the original`,
    {
      where,
      hint: `${remedyFor(version, playing)}, or set simulator.any_engine: true and read the table of robot-eval parity`,
    },
  );
}

function remedyFor(version: string, playing: string): string {
  const fitting = engineFor(version);
  if (fitting === undefined)
    return `freeze it with pip install "mujoco==${generationOf(playing)}.*"`;
  return `set simulator.engine: ${fitting}`;
}
