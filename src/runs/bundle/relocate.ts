import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { RunInfo } from "../../core/interfaces/result.js";
import { isRecord } from "../../core/record.js";
import { writeJson } from "../files.js";
import { RunDirectory } from "../run-directory.js";
import { PARTS } from "./manifest.js";
import type { OpenBundle } from "./open-bundle.js";

/** What whoever checks a bundle puts in place of its own. */
export interface Substitutes {
  /** Folder of scenes' files. */
  readonly scenes?: string | undefined;
  /** Folder of navigation graphs. */
  readonly connectivity?: string | undefined;
  readonly plugins?: readonly string[] | undefined;
}

type Section = Readonly<Record<string, unknown>>;

/**
 * Makes the unpacked run's benchmark one of this machine: its folders are those of the bundle, and its
 * plugins those that were named here. What the benchmark said of them was true where the run was made; here
 * another scene, or another's code, may stand there.
 *
 * @returns what run.json said before
 */
export async function relocate(bundle: OpenBundle, substitutes: Substitutes): Promise<RunInfo> {
  const run = await RunDirectory.open(bundle.run);
  const info = await run.info();
  const { config } = info;
  const { scenes, connectivity, ...simulator } = sectionOf(config.simulator);
  const datasets = Object.entries(sectionOf(config.dataset)).map(([task, section]) => [
    task,
    { ...placeless(section), ...placesOf(bundle, task, substitutes) },
  ]);
  await mkdir(join(bundle.folder, PARTS.scenes), { recursive: true });
  await writeJson(run.file("info"), {
    ...info,
    config: {
      ...config,
      simulator,
      dataset: Object.fromEntries(datasets),
      plugins: (substitutes.plugins ?? []).map((name) =>
        name.startsWith(".") ? resolve(name) : name,
      ),
    },
  });
  return info;
}

function placeless(section: unknown): Section {
  const { scenes, connectivity, gt_path, ...rest } = sectionOf(section);
  return rest;
}

function placesOf({ folder, manifest }: OpenBundle, task: string, given: Substitutes): Section {
  const own = manifest.places[task] ?? {};
  const graphs = own.connectivity && (given.connectivity ?? join(folder, own.connectivity));
  return {
    // The dataset is not in the bundle; where it was, something else may have graphs beside it by now.
    data_path: join(folder, "dataset"),
    scenes: resolve(
      (own.scenes && (given.scenes ?? join(folder, own.scenes))) ?? join(folder, PARTS.scenes),
    ),
    ...(graphs === undefined ? {} : { connectivity: resolve(graphs) }),
  };
}

function sectionOf(value: unknown): Section {
  return isRecord(value) ? value : {};
}
