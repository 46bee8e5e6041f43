import { DataError } from "../../core/errors.js";
import { loadMujoco } from "../manipulation/physics/mujoco.js";

/** The version of the embedded MuJoCo. */
export async function embeddedVersion(): Promise<string> {
  return (await loadMujoco()).mj_versionString();
}

/** Versions that differ in more than the patch compute other contacts. */
function isSameEngine(one: string, other: string): boolean {
  const generation = (version: string) => version.split(".").slice(0, 2).join(".");
  return generation(one) === generation(other);
}

/** @throws DataError if a world was frozen with a version whose contacts differ */
export async function checkEngine(version: string, where: string): Promise<void> {
  const embedded = await embeddedVersion();
  if (isSameEngine(version, embedded)) return;
  throw new DataError(
    "other_engine",
    `the world was frozen with MuJoCo ${version}, and the embedded one is ${embedded}: contacts differ, so results are not those of the original`,
    {
      where,
      hint: `freeze it with pip install "mujoco==${embedded.split(".").slice(0, 2).join(".")}.*", or set simulator.any_engine: true and read the table of robot-eval parity`,
    },
  );
}
