/** The embedded MuJoCo, and an older one that is an optional peer. */
export const ENGINES = ["mujoco-3.14", "mujoco-3.3"] as const;
export type Engine = (typeof ENGINES)[number];

export const DEFAULT_ENGINE: Engine = "mujoco-3.14";

/** The package of the older one, and the version of MuJoCo in it. */
export const OLDER_ENGINE = {
  name: "mujoco-3.3",
  peer: "mujoco-js",
  peerVersion: "0.0.7",
  mujoco: "3.3.8",
} as const;

/** The engine that plays worlds of a version of MuJoCo; undefined if there is none. */
export function engineFor(version: string): Engine | undefined {
  return ENGINES.find((engine) => engine === `mujoco-${generationOf(version)}`);
}

/** Versions that differ in more than the patch compute other contacts. */
export function generationOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
