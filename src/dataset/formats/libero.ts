import { readdir } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { BaseEpisode, type EpisodeInit } from "../../core/episode/base.js";
import { DataError, show } from "../../core/errors.js";
import { type BddlTask, parseBddl } from "../bddl.js";
import { type GoalCondition, predicatesOf } from "../bddl-goal.js";
import type { DatasetFormat, DatasetSource } from "../format.js";
import { readEach } from "../read-each.js";
import { readText } from "../readers/bytes.js";
import { readTorchArray } from "../readers/torch-zip.js";
import { exists, opening, readSample } from "../source.js";

/** LIBERO evaluates on the pruned states, 50 per task, which were chosen from the 100 in the other file. */
const INIT_ENDINGS = [".pruned_init", ".init"];

/**
 * LIBERO (Liu et al., NeurIPS 2023): a suite is a folder of BDDL files, one per task, with a file of fixed
 * initial states for each in `../../init_files/<suite>`. An episode is a task with one of its initial
 * states.
 */
export const liberoFormat: DatasetFormat = {
  name: "libero",
  description: "LIBERO tasks: a folder of .bddl files or one, with init_files/<suite> near it",
  taskTypes: ["manipulation", "pick_place"],
  profile: "design",

  detect: ({ names, text, isDirectory }) =>
    isDirectory
      ? names.some((name) => name.endsWith(".bddl"))
      : /^\s*(;[^\n]*\s*)*\(\s*define\s*\(\s*problem\s/i.test(text),

  async *episodes(source) {
    yield* readEach(source, await taskFiles(source.path), async (file) => {
      const task = parseBddl(await readText(file), file);
      const initFile = await initFileOf(file);
      const inits = episodesOf(task, file, source);
      return initFile === undefined ? [inits()] : fromStates(inits, file, initFile);
    });
  },
};

async function taskFiles(path: string): Promise<string[]> {
  const { isDirectory, names } = await readSample(path);
  if (!isDirectory) return [path];
  const files = names.filter((name) => name.endsWith(".bddl"));
  if (files.length > 0) return files.map((name) => join(path, name));
  throw new DataError("empty_dataset", "the folder has no .bddl file", {
    where: path,
    hint: `pass a LIBERO suite such as bddl_files/libero_spatial; the folder contains ${show(names)}`,
  });
}

/**
 * Finds the task's initial states beside it or in LIBERO's own layout. If a suite has such files, every
 * task needs one; otherwise only some tasks would start from fixed states.
 */
async function initFileOf(file: string): Promise<string | undefined> {
  const folder = dirname(resolve(file));
  const inits = resolve(folder, "..", "..", "init_files", basename(folder));
  for (const place of [folder, inits]) {
    for (const ending of INIT_ENDINGS) {
      const path = join(place, `${stemOf(file)}${ending}`);
      if (await exists(path)) return path;
    }
  }
  if (!(await exists(inits))) return undefined;
  const others = (await opening(inits, () => readdir(inits))).filter((name) =>
    INIT_ENDINGS.some((ending) => name.endsWith(ending)),
  );
  throw new DataError(
    "missing_init_states",
    `${stemOf(file)}${INIT_ENDINGS[0]} is missing, but ${others.length} other tasks have such a file`,
    { where: inits, hint: "download the suite's init_files again, or move the folder away" },
  );
}

async function fromStates(
  episode: (start: StateRow) => BaseEpisode,
  file: string,
  initFile: string,
): Promise<BaseEpisode[]> {
  const { shape, data } = await readTorchArray(initFile);
  const [count, width] = shape;
  if (!count || !width || shape.length !== 2) {
    throw new DataError("bad_init_states", `expected a table of states, got ${show(shape)}`, {
      where: initFile,
      hint: "write one MuJoCo state per row: time, positions, velocities",
    });
  }
  return Array.from({ length: count }, (_, index) => {
    const state = Array.from(data.subarray(index * width, (index + 1) * width));
    const bad = state.findIndex((x) => !Number.isFinite(x));
    if (bad >= 0) {
      throw new DataError(
        "bad_init_states",
        `episode ${stemOf(file)}_init${index}, state ${index}, value ${bad}: expected a finite number, got ${state[bad]}`,
        { where: initFile },
      );
    }
    const near = relative(dirname(file), initFile).split(sep).join("/");
    return episode({ index, state, file: near });
  });
}

interface StateRow {
  readonly index: number;
  /** LIBERO's flattened MuJoCo state: time, qpos, qvel. */
  readonly state: readonly number[];
  /** Relative to the task's file. */
  readonly file: string;
}

function episodesOf(task: BddlTask, file: string, source: DatasetSource) {
  const stem = stemOf(file);
  const suite = basename(dirname(resolve(file)));
  const common: Omit<EpisodeInit, "episodeId"> = {
    taskType: source.taskType ?? "manipulation",
    sceneId: `${suite}/${stem}`,
    goals: goalsOf(task),
    // LIBERO itself gives the policy the words of the file name; `:language` sometimes differs.
    instruction: { text: textOfName(stem), bddl_language: task.language },
  };
  const config = {
    suite,
    bddl_file: basename(file),
    problem: task.problem,
    domain: task.domain,
    objects: task.objects,
    fixtures: task.fixtures,
    regions: task.regions,
    obj_of_interest: task.objOfInterest,
    init: task.init,
  };
  return (start?: StateRow): BaseEpisode =>
    new BaseEpisode(
      {
        ...common,
        episodeId: start ? `${stem}_init${start.index}` : stem,
        startState: start ? { mujoco_state: start.state } : { init: task.init },
        taskConfig: start ? { ...config, init_file: start.file, init_index: start.index } : config,
      },
      file,
    );
}

function goalsOf({ goal, objects }: BddlTask): BaseEpisode["goals"] {
  const target = predicatesOf(goal)[0]?.arguments[0];
  return {
    ...(target !== undefined && Object.hasOwn(objects, target) ? { target_object: target } : {}),
    success_criteria: { type: "bddl", ...listed(goal) },
  };
}

function listed(goal: GoalCondition): Readonly<Record<string, readonly GoalCondition[]>> {
  if ("any" in goal) return { any: goal.any };
  return { all: "all" in goal ? goal.all : [goal] };
}

function stemOf(file: string): string {
  return basename(file).replace(/\.bddl(\.gz)?$/, "");
}

/**
 * The instruction that LIBERO's benchmark and published evaluations give the policy: the words of the file
 * name, not `:language`, whose wording often differs.
 */
function textOfName(stem: string): string {
  return stem.replace(/^[A-Z].*?SCENE\d+_/, "").replaceAll("_", " ");
}
