import { basename, dirname } from "node:path";
import { BaseEpisode } from "../../core/episode/base.js";
import { DataError, show } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";
import type { DatasetFormat, DatasetSource } from "../format.js";
import { readEach } from "../read-each.js";
import { episodesInChild } from "../reader/read-in-child.js";
import { Hdf5File, withHdf5 } from "../readers/hdf5.js";
import { parseJson } from "../readers/json.js";
import { fileByFile, type Hdf5Part, requireDemos, stemOf } from "./hdf5-folder.js";
import { imagesOf, modelOf, trajectoryOf } from "./robomimic-demo.js";

/**
 * Demonstrations in the HDF5 layout of robosuite (Zhu et al. 2020), robomimic (Mandlekar et al., CoRL 2021)
 * and LIBERO: `data/demo_<i>` with actions, simulator states and observations. One file, or a folder of
 * them, as LIBERO has one file per task.
 */
export const robomimicFormat: DatasetFormat = {
  name: "robomimic",
  description:
    "LIBERO, robomimic and robosuite demonstrations: HDF5 with data/demo_<i>, or a folder of them",
  taskTypes: ["manipulation", "pick_place"],
  profile: "design",

  detect: ({ names, isDirectory }) =>
    !isDirectory && names.some((name) => /^data\/demo_\d+$/.test(name)),

  episodes: (source) => episodesInChild("robomimic", source),
};

/** Reads in the calling process; the format itself reads in a child process that can be killed. */
export function robomimicEpisodes(source: DatasetSource): AsyncGenerator<BaseEpisode> {
  const sceneOf = (path: string) => withHdf5(path, (file) => commonOf(file).sceneId);
  return fileByFile(source, sceneOf, episodesIn);
}

async function* episodesIn(part: Hdf5Part): AsyncGenerator<BaseEpisode> {
  const file = await Hdf5File.open(part.path);
  try {
    const common = commonOf(file);
    const filters = filtersOf(file);
    const demos = file.keys("data");
    requireDemos(file.path, demos, "data/demo_<i>");
    rejectUnknown(file, filters, demos);
    yield* readEach(part, demos, (demo) => episodeOf(file, demo, common, filters, part));
  } finally {
    file.close();
  }
}

/** Attributes of `data`, which all demonstrations of a file share. */
interface Common {
  readonly sceneId: string;
  readonly text: string;
  readonly isLibero: boolean;
  readonly config: Readonly<Record<string, unknown>>;
}

function commonOf(file: Hdf5File): Common {
  // robosuite names this "env_info", the other two "env_args".
  const env = jsonAttribute(file, "env_args") ?? jsonAttribute(file, "env_info") ?? {};
  const problem = jsonAttribute(file, "problem_info") ?? {};
  const bddl = textAttribute(file, "bddl_file_name");
  const envName = [env.env_name, textAttribute(file, "env_name"), textAttribute(file, "env")].find(
    (name) => typeof name === "string" && name !== "",
  );
  return {
    sceneId: bddl === undefined ? String(envName ?? stemOf(file.path)) : sceneOfBddl(bddl),
    text: instructionText(problem.language_instruction),
    isLibero: bddl !== undefined || problem.language_instruction !== undefined,
    config: { robot_config: robotConfig(env), env_name: envName, env_args: env, bddl_file: bddl },
  };
}

function episodeOf(
  file: Hdf5File,
  demo: string,
  common: Common,
  filters: ReadonlyMap<string, readonly string[]>,
  part: Hdf5Part,
): BaseEpisode {
  const group = `data/${demo}`;
  if (!/^demo_\d+$/.test(demo)) {
    throw file.error(group, "bad_demo", "expected a name of the form demo_<number>");
  }
  const { length, startState, trajectory } = trajectoryOf(file, group);
  const own = [...filters].filter(([, demos]) => demos.includes(demo)).map(([name]) => name);
  return new BaseEpisode(
    {
      episodeId: part.idOf(demo),
      taskType: part.taskType ?? "manipulation",
      sceneId: common.sceneId,
      startState,
      instruction: { text: common.text },
      referenceData: { trajectory },
      taskConfig: {
        ...common.config,
        num_samples: length,
        filters: own,
        model_file: modelOf(file, group),
        images: imagesOf(file, group, common.isLibero),
      },
    },
    `${file.path}, /${group}`,
  );
}

/** LIBERO's names for a Panda on a mount and on the floor, which differ in the base only. */
const MOUNTS = /^(Mounted|OnTheGround)/;

/**
 * The robot that the file names, in the spelling of this project's robots ("Panda" becomes "panda").
 * Undefined for several robots, because a task has one.
 */
function robotConfig(
  env: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const { robots = env.robots } = isRecord(env.env_kwargs) ? env.env_kwargs : {};
  const [name, ...others]: unknown[] = Array.isArray(robots) ? robots : [robots];
  if (typeof name !== "string" || others.length > 0) return undefined;
  return { robot_type: name.replace(MOUNTS, "").toLowerCase() };
}

/** robomimic's subsets: each `mask/<filter_key>` lists demonstrations by name. */
function filtersOf(file: Hdf5File): ReadonlyMap<string, readonly string[]> {
  if (file.kind("mask") === undefined) return new Map();
  return new Map(
    file.keys("mask").map((name) => [name, file.dataset(`mask/${name}`).values().map(String)]),
  );
}

function rejectUnknown(
  file: Hdf5File,
  filters: ReadonlyMap<string, readonly string[]>,
  demos: readonly string[],
): void {
  const known = new Set(demos);
  for (const [name, listed] of filters) {
    const lost = listed.find((demo) => !known.has(demo));
    if (lost === undefined) continue;
    throw file.error(
      `mask/${name}`,
      "bad_mask",
      `lists ${show(lost)}, which is not among the ${demos.length} demonstrations`,
    );
  }
}

function textAttribute(file: Hdf5File, name: string): string | undefined {
  const value = file.attribute("data", name);
  return typeof value === "string" ? value : undefined;
}

function jsonAttribute(
  file: Hdf5File,
  name: string,
): Readonly<Record<string, unknown>> | undefined {
  const text = textAttribute(file, name);
  if (text === undefined) return undefined;
  const value = parseJson(text, `${file.path}, /data@${name}`);
  if (isRecord(value)) return value;
  throw new DataError("bad_dataset", `/data@${name}: expected a JSON object, got ${show(value)}`, {
    where: file.path,
  });
}

/** Matches the scene id of the `libero` format, so that demonstrations and evaluation episodes share it. */
function sceneOfBddl(path: string): string {
  const suite = basename(dirname(path));
  const stem = basename(path).replace(/\.bddl$/, "");
  return suite === "" || suite === "." ? stem : `${suite}/${stem}`;
}

/** LIBERO writes the instruction as a string or, in some files, as a list of characters. */
function instructionText(instruction: unknown): string {
  if (Array.isArray(instruction)) return instruction.map(String).join("");
  return typeof instruction === "string" ? instruction : "";
}
