import { createHash } from "node:crypto";
import { type BaseEpisode, episodeKey } from "../../core/episode/base.js";
import type { RunInfo } from "../../core/interfaces/result.js";
import { isRecord } from "../../core/record.js";
import { PARTS } from "../../runs/bundle/manifest.js";
import { changed } from "../../runs/bundle/read-archive.js";
import { DataDigester } from "../../runs/data-digest.js";
import { lineName } from "../../runs/line-name.js";
import { stopIfAborted } from "../../runs/score-options.js";
import { readTrajectory } from "../../runs/trajectory.js";
import type { Checked } from "./documents.js";

/** What there is of one task. */
export interface Tally {
  lines: number;
  /** By key, the sum of the episode that was recorded; undefined where none was. */
  readonly episodes: Map<string, string | undefined>;
  readonly digester: DataDigester;
}

export type Tallies = ReadonlyMap<string, Tally>;

/** A run's lines by task, with what is wrong with the first that should not be there. */
export async function readLines({
  bundle,
  run,
  info,
  signal,
}: Checked): Promise<{ readonly tasks: Tallies; readonly problem?: string }> {
  const tasks = new Map<string, Tally>();
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
    if (seen.has(name)) return bad(`${name} stands twice in episodes.jsonl`);
    if (line.repeat >= repeats) return bad(`${name}: an episode was to be run ${repeats} times`);
    seen.add(name);
    const tally = tasks.get(line.task) ?? newTally();
    tasks.set(line.task, tally);
    tally.lines++;
    const known = tally.episodes.get(line.episode_key);
    tally.episodes.set(line.episode_key, known);
    if (line.outcome === "invalid") continue;
    // What is not in the manifest must not be read, wherever a line says that it is.
    if (line.trajectory === null || !files.has(`${PARTS.run}/${line.trajectory}`)) {
      throw changed(bundle.file, `${name} has no record in the bundle`);
    }
    const { episode } = await readTrajectory(`${run.path}/${line.trajectory}`);
    const sum = sumOf(episode);
    if (known === undefined) {
      tally.digester.add(episode);
      tally.episodes.set(line.episode_key, sum);
    } else if (known !== sum) return bad(`${name} is of another episode than its repeats`);
  }
  return { tasks };
}

export function newTally(): Tally {
  return { lines: 0, episodes: new Map(), digester: new DataDigester() };
}

export function repeatsOf({ config: { evaluation } }: RunInfo): number {
  return isRecord(evaluation) ? Number(evaluation.repeats ?? 1) : 1;
}

export function stopsEarly({ config: { evaluation } }: RunInfo): boolean {
  return isRecord(evaluation) && evaluation.early_stop !== undefined;
}

/** Of an episode as its dataset has it. */
export function sumOf(episode: BaseEpisode): string {
  return createHash("sha256").update(JSON.stringify(episode.toDict())).digest("hex");
}
