import { DataError } from "../../core/errors.js";
import { repeatsOf } from "../recorded/recorded-config.js";
import { isSameSelection, selectionText } from "./agreement.js";
import type { Source } from "./source.js";

/** Number of missing shards listed by name. */
const MOST_NAMED = 10;

/** Descriptions of selected results that the runs lack; empty if complete. */
export function describeMissing(
  sources: readonly Source[],
  counts: ReadonlyMap<string, number>,
): string[] {
  const unfinished = sources
    .filter(({ info }) => info.status !== "done")
    .map(
      ({ label, info, run }) => `${label} is not done, its status is ${info.status} (${run.path})`,
    );
  const [first] = sources;
  if (!first) return [];
  if (sources.some((source) => !isSameSelection(first, source))) {
    const texts = [...new Set(sources.map(selectionText))];
    return [...unfinished, `the runs have different selections: ${texts.join("; ")}`];
  }
  const short = shortTasks(first, counts);
  // Episode keys determine the shard, so a shard may be empty and is missing only if episodes are.
  return [...unfinished, ...(short.length > 0 ? absentShards(sources) : []), ...short];
}

function shortTasks({ info, run }: Source, counts: ReadonlyMap<string, number>): string[] {
  const repeats = repeatsOf(info);
  const data = info.data ?? {};
  const unknown = [...counts.keys()].filter((task) => !data[task]);
  const texts = unknown.map((task) => `the number of episodes of ${task} is not recorded`);
  for (const [task, { episodes }] of Object.entries(data)) {
    const [there, all] = [counts.get(task) ?? 0, episodes * repeats];
    if (there > all) {
      throw new DataError("damaged_file", `${task} has ${there} results, expected ${all}`, {
        where: run.file("info"),
      });
    }
    if (there < all) texts.push(`${task} has ${there} of ${all} results`);
  }
  return texts;
}

function absentShards(sources: readonly Source[]): string[] {
  const shards = sources.flatMap(({ shard }) => shard ?? []);
  const count = shards[0]?.count ?? 0;
  const there = new Set(shards.map(({ index }) => index));
  const absent: string[] = [];
  for (let index = 1; index <= count && absent.length < MOST_NAMED; index++) {
    if (!there.has(index)) absent.push(`${index}/${count}`);
  }
  if (absent.length === 0) return [];
  const more = count - there.size - absent.length;
  return [`missing shards: ${absent.join(", ")}${more > 0 ? ` and ${more} more` : ""}`];
}
