import { existsSync } from "node:fs";
import { ConfigError } from "../../../core/errors.js";
import { loadRunPlugins } from "../../../registry/plugins.js";
import type { Registries } from "../../../registry/registries.js";
import { ResolvedTask } from "../../../registry/resolved-task.js";
import { fileHash } from "../../../runs/bundle/file-hash.js";
import { type BundleManifest, type BundleScene, PARTS } from "../../../runs/bundle/manifest.js";
import { changed } from "../../../runs/bundle/read-archive.js";
import { needsOf } from "../../../runs/bundle/scene-files.js";
import {
  type RunPermissions,
  recordedBenchmark,
} from "../../../runs/recorded/recorded-benchmark.js";
import { stopIfAborted } from "../../../runs/score/score-options.js";
import type { Checked, Finding } from "./documents.js";

/** Folders of the checker that replace the bundle's. */
type Substitutes = Pick<RunPermissions, "scenes" | "connectivity">;

const FLAGS = { scenes: "--scenes", connectivity: "--connectivity" } as const;
type Folder = keyof typeof FLAGS;

/** Whether a scene has files of a kind. */
function uses({ files }: BundleScene, folder: Folder): boolean {
  const part = folder === "scenes" ? PARTS.scenes : PARTS.graphs;
  return files.some(({ path }) => path.startsWith(`${part}/`));
}

/** Reports folders that the checker must name, before the replay starts. */
export function checkFolders({ scenes }: BundleManifest, given: Substitutes): void {
  for (const folder of ["scenes", "connectivity"] as const) {
    const [flag, path] = [FLAGS[folder], given[folder]];
    if (path !== undefined && !existsSync(path)) {
      throw new ConfigError("missing_directory", `no such folder: ${path}`, { where: flag });
    }
    const left = scenes.filter((one) => one.left_out !== undefined && uses(one, folder));
    const [first] = left;
    if (!first || path !== undefined) continue;
    const what = folder === "scenes" ? "the files" : "the navigation graphs";
    const more = left.length > 1 ? ` and ${left.length - 1} more` : "";
    throw new ConfigError(
      "missing_scenes",
      `the bundle was made without ${what} of ${first.scene_id}${more}`,
      { where: flag, hint: `name the folder that has them: ${flag} <folder>` },
    );
  }
}

/** Checks that scenes from outside the bundle have the hashes of the run's scenes. */
export async function checkScenes(
  { bundle, run, info, permissions: given, signal }: Checked,
  registries: Registries,
): Promise<Finding> {
  const { scenes, files } = bundle.manifest;
  const sums = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const loaded = recordedBenchmark(run, info, ["plugins", "scenes", "graphs"], given);
  await loadRunPlugins(loaded, registries);
  const resolvedTasks = new Map<string, ResolvedTask>();
  const count = { generated: 0, inside: 0, found: 0, lost: 0 };
  for (const scene of scenes) {
    stopIfAborted(signal);
    const { task, scene_id, left_out } = scene;
    const isElsewhere = (folder: Folder) => given[folder] !== undefined && uses(scene, folder);
    if (scene.source === "generated") count.generated++;
    else if (scene.files.length === 0) count.lost++;
    else if (left_out === undefined && !isElsewhere("scenes") && !isElsewhere("connectivity")) {
      const other = scene.files.find(({ path, sha256 }) => sums.get(path) !== sha256);
      if (other) throw changed(bundle.file, `${scene_id}: ${other.path} is not in the bundle`);
      count.inside++;
    } else {
      const section = loaded.config.tasks.find(({ name }) => name === task);
      if (!section) return { status: "failed", text: `no task ${task}` };
      const resolved = resolvedTasks.get(task) ?? new ResolvedTask(loaded, section, registries);
      resolvedTasks.set(task, resolved);
      const { backend } = loaded.config.simulator;
      const needs = await needsOf(resolved, scene_id, { backend, registries });
      const there = [...(needs.scene?.all ?? []), ...(needs.graph ? [needs.graph] : [])];
      const now = await Promise.all(there.map(async (file) => (await fileHash(file)).sha256));
      if (now.join() !== scene.files.map(({ sha256 }) => sha256).join()) {
        return { status: "failed", text: `${scene_id} here is not the scene of the run` };
      }
      count.found++;
    }
  }
  return summary(count);
}

function summary(count: Readonly<Record<"generated" | "inside" | "found" | "lost", number>>) {
  const { generated, inside, found, lost } = count;
  const texts = [
    ...(inside > 0 ? [`${inside} in the bundle`] : []),
    ...(found > 0 ? [`${found} found here, with the same files`] : []),
    ...(generated > 0 ? [`${generated} generated from their ids`] : []),
    ...(lost > 0 ? [`${lost} without any information in the bundle`] : []),
  ];
  const status = lost > 0 ? ("unknown" as const) : ("ok" as const);
  return { status, text: texts.join(", ") };
}
