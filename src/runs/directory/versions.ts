import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { OLDER_ENGINE } from "../../simulator/manipulation/physics/engine/names.js";

const require = createRequire(import.meta.url);
const { version } = require("../../../package.json") as { version: string };

export const PACKAGE_VERSION: string = version;

/** Libraries whose arithmetic affects episodes. */
const SIMULATION = { mujoco: "@mujoco/mujoco", recast_navigation: "recast-navigation" } as const;

let found: Readonly<Record<string, string>> | undefined;

/**
 * Versions that are recorded in a run.
 *
 * @param engine `simulator.engine` of the run
 */
export function versions(engine?: unknown): Readonly<Record<string, string>> {
  const own = installed();
  return engine === OLDER_ENGINE.name ? { ...own, mujoco: OLDER_ENGINE.mujoco } : own;
}

function installed(): Readonly<Record<string, string>> {
  found ??= {
    robot_eval: version,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    ...Object.fromEntries(
      Object.entries(SIMULATION).map(([name, library]) => [name, versionOf(library)]),
    ),
  };
  return found;
}

/** Reads package.json as a file: packages need not export it, and loading the library is slow. */
function versionOf(library: string): string {
  for (let folder = dirname(require.resolve(library)); ; folder = dirname(folder)) {
    const manifest = packageIn(folder);
    if (manifest?.name === library) return manifest.version ?? "unknown";
    if (dirname(folder) === folder) return "unknown";
  }
}

function packageIn(
  folder: string,
): { readonly name?: string; readonly version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch {
    return undefined;
  }
}
