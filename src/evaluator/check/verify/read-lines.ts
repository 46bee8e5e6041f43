import { createHash } from "node:crypto";
import { type BaseEpisode, episodeKey } from "../../../core/episode/base.js";
import type { EpisodeLine, RunInfo } from "../../../core/interfaces/result.js";
import { DataDigester } from "../../../dataset/data-digest.js";
import { PARTS } from "../../../runs/bundle/manifest.js";
import { changed } from "../../../runs/bundle/read-archive.js";
import { lineName } from "../../../runs/directory/line-name.js";
import { readTrajectory } from "../../../runs/directory/trajectory.js";
import { repeatsOf } from "../../../runs/recorded/recorded-config.js";
import { stopIfAborted } from "../../../runs/score/score-options.js";
import { agentSeed, episodeSeed } from "../../plan/seeding.js";
import type { Checked } from "./documents.js";

/** The lines of one task. */
export interface TaskLines {
  readonly lines: EpisodeLine[];
  /** Names of the lines, including the repeat. */
  readonly names: Set<string>;
  /** Hash of the recorded episode by key; undefined if it has no trajectory. */
  readonly episodes: Map<string, string | undefined>;
  readonly digester: DataDigester;
}

export type LinesByTask = ReadonlyMap<string, TaskLines>;

/** Reads a run's lines by task, with the problem of the first wrong line. */
export async function readLines({
  bundle,
  run,
  info,
  signal,
}: Checked): Promise<{ readonly tasks: LinesByTask; readonly problem?: string }> {
  const tasks = new Map<string, TaskLines>();
  const bad = (problem: string) => ({ tasks, problem });
  const files = new Set(bundle.manifest.files.map(({ path }) => path));
  const seen = new Set<string>();
  const repeats = repeatsOf(info);
  for await (const line of run.episodes()) {
    stopIfAborted(signal);
    const name = lineName(line.episode_key, line.repeat);
    if (line.episode_key !== episodeKey(line.task, line.scene_id, line.episode_id)) {
      return bad(`${name} is not the key of its episode`);
    }
    if (seen.has(name)) return bad(`${name} is twice in episodes.jsonl`);
    if (line.repeat >= repeats) return bad(`${name}: the benchmark has ${repeats} repeats`);
    seen.add(name);
    const seeds = seedProblem(line, info);
    if (seeds !== undefined) return bad(seeds);
    const own = tasks.get(line.task) ?? newTaskLines();
    tasks.set(line.task, own);
    own.lines.push(line);
    own.names.add(name);
    const known = own.episodes.get(line.episode_key);
    own.episodes.set(line.episode_key, known);
    if (line.outcome === "invalid") continue;
    // Read only files that the manifest lists, whatever path a line names.
    if (line.trajectory === null || !files.has(`${PARTS.run}/${line.trajectory}`)) {
      throw changed(bundle.file, `the trajectory of ${name} is not in the bundle`);
    }
    const { episode } = await readTrajectory(`${run.path}/${line.trajectory}`);
    const sum = sumOf(episode);
    if (known === undefined) {
      own.digester.add(episode);
      own.episodes.set(line.episode_key, sum);
    } else if (known !== sum)
      return bad(`${name} belongs to another episode than its other repeats`);
  }
  return { tasks };
}

/** Both seeds derive from the run's seed and the episode's key, also for invalid episodes. */
function seedProblem(line: EpisodeLine, { seed }: RunInfo): string | undefined {
  const { episode_key, repeat } = line;
  const name = lineName(episode_key, repeat);
  if (line.seed !== episodeSeed(seed, episode_key))
    return `${name}: seed does not follow from the run's seed`;
  if (line.agent_seed === agentSeed(seed, episode_key, repeat)) return undefined;
  return `${name}: agent_seed does not follow from the run's seed`;
}

export function newTaskLines(): TaskLines {
  return { lines: [], names: new Set(), episodes: new Map(), digester: new DataDigester() };
}

/** Hash of an episode as its dataset has it. */
export function sumOf(episode: BaseEpisode): string {
  return createHash("sha256").update(JSON.stringify(episode.toDict())).digest("hex");
}
