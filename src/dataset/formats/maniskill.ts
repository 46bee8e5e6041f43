import { basename } from "node:path";
import { z } from "zod";
import { BaseEpisode } from "../../core/episode/base.js";
import { DataError } from "../../core/errors.js";
import { check } from "../check.js";
import type { DatasetFormat, DatasetSource } from "../format.js";
import { readEach } from "../read-each.js";
import { episodesInChild } from "../reader/read-in-child.js";
import { readText } from "../readers/bytes.js";
import { Hdf5File } from "../readers/hdf5.js";
import { parseJson } from "../readers/json.js";
import { exists } from "../source.js";
import { badDemo } from "./hdf5-demo.js";
import { fileByFile, type Hdf5Part, requireDemos, stemOf } from "./hdf5-folder.js";
import { recordingOf } from "./maniskill-recording.js";

const companionSchema = z.looseObject({
  env_info: z
    .looseObject({
      env_id: z.string().min(1),
      max_episode_steps: z.number().nullish(),
      env_kwargs: z.record(z.string(), z.unknown()).nullish(),
    })
    .optional(),
  episodes: z.array(
    z.looseObject({
      episode_id: z.int(),
      reset_kwargs: z.record(z.string(), z.unknown()).nullish(),
      control_mode: z.string().nullish(),
      elapsed_steps: z.int().nullish(),
      episode_seed: z.int().nullish(),
      info: z.unknown().optional(),
    }),
  ),
});

type Companion = z.output<typeof companionSchema>;

/**
 * ManiSkill recordings (Tao et al. 2024): `<name>.h5` contains the arrays, `<name>.json` beside it the
 * environment and each episode's reset. Without the JSON file, that information is missing from the
 * episodes. One recording, or a folder of them.
 */
export const maniskillFormat: DatasetFormat = {
  name: "maniskill",
  description:
    "ManiSkill recordings: HDF5 with traj_<i>, and the .json of the same name beside it; or a folder",
  taskTypes: ["manipulation", "pick_place"],
  profile: "design",

  detect: ({ names, isDirectory }) =>
    !isDirectory && names.some((name) => /^traj_\d+\/actions$/.test(name)),

  episodes: (source) => episodesInChild("maniskill", source),
};

/** Reads in the calling process; the format itself reads in a child process that can be killed. */
export function maniskillEpisodes(source: DatasetSource): AsyncGenerator<BaseEpisode> {
  const scene = async (path: string) => sceneOf(path, await readCompanion(path));
  return fileByFile(source, scene, episodesIn);
}

async function* episodesIn(part: Hdf5Part): AsyncGenerator<BaseEpisode> {
  const companion = await readCompanion(part.path);
  const file = await Hdf5File.open(part.path);
  try {
    const groups = file.keys("").filter((name) => /^traj_\d+$/.test(name));
    requireDemos(file.path, groups, "traj_<i>");
    if (companion) rejectMissing(file, companion, groups);
    yield* readEach(part, groups, (group) => episodeOf(file, group, companion, part));
  } finally {
    file.close();
  }
}

function sceneOf(path: string, companion: Companion | undefined): string {
  return companion?.env_info?.env_id ?? stemOf(path);
}

function companionPath(path: string): string {
  return `${path.replace(/\.(h5|hdf5)$/, "")}.json`;
}

async function readCompanion(path: string): Promise<Companion | undefined> {
  const json = companionPath(path);
  if (!(await exists(json))) return undefined;
  return check(companionSchema, parseJson(await readText(json), json), {
    file: json,
    item: "the recording's description",
  });
}

/** Rejects a file whose description lists episodes without a trajectory. */
function rejectMissing(file: Hdf5File, { episodes }: Companion, groups: readonly string[]): void {
  const lost = episodes.find((episode) => !groups.includes(`traj_${episode.episode_id}`));
  if (!lost) return;
  throw new DataError(
    "missing_trajectory",
    `episode ${lost.episode_id} of ${basename(companionPath(file.path))} has no /traj_${lost.episode_id}`,
    {
      where: file.path,
      hint: `check that both files belong together: there are ${groups.length} trajectories and ${episodes.length} episodes`,
    },
  );
}

function episodeOf(
  file: Hdf5File,
  group: string,
  companion: Companion | undefined,
  part: Hdf5Part,
): BaseEpisode {
  const { length, success, startState, trajectory } = recordingOf(file, group);
  const episode = companion?.episodes.find(({ episode_id }) => `traj_${episode_id}` === group);
  const json = basename(companionPath(file.path));
  if (companion && !episode) {
    throw file.error(group, "missing_description", `${json} has no episode with this number`);
  }
  const steps = episode?.elapsed_steps ?? undefined;
  if (steps !== undefined && steps !== length) {
    const problem = `actions has ${length} rows, but ${json} states elapsed_steps ${steps}`;
    throw badDemo(file, group, problem);
  }
  const env = companion?.env_info;
  return new BaseEpisode(
    {
      episodeId: part.idOf(group),
      taskType: part.taskType ?? "manipulation",
      sceneId: sceneOf(file.path, companion),
      startState,
      instruction: { text: "" },
      referenceData: { trajectory },
      taskConfig: {
        num_samples: length,
        recorded_success: success,
        env_id: env?.env_id,
        env_kwargs: env?.env_kwargs ?? undefined,
        max_episode_steps: env?.max_episode_steps ?? undefined,
        control_mode: episode?.control_mode ?? undefined,
        reset_kwargs: episode?.reset_kwargs ?? undefined,
        episode_seed: episode?.episode_seed ?? undefined,
        info: episode?.info,
        ...(companion ? {} : { missing: `${json}: environment, control mode and reset unknown` }),
      },
    },
    `${file.path}, /${group}`,
  );
}
