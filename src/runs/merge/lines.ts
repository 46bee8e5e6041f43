import { DataError } from "../../core/errors.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { lineName } from "../directory/line-name.js";
import { byText } from "../directory/ordered.js";
import type { Source } from "./source.js";

/** Number of lines held in memory; each portion takes one pass over all files. */
const PORTION = 20_000;

interface Entry {
  readonly key: string;
  readonly repeat: number;
  readonly source: Source;
}

/** A line with the run that it comes from. */
interface SourceLine {
  readonly line: EpisodeLine;
  readonly source: Source;
}

export interface Lines {
  /** Number of lines per task. */
  readonly counts: ReadonlyMap<string, number>;
  /** The lines in the order of (episode_key, repeat). */
  inOrder(): AsyncGenerator<SourceLine>;
}

/**
 * Reads the lines of several runs. Holds the keys of all lines and one portion of the lines in memory.
 *
 * @throws DataError if two lines have the same key and repeat
 */
export async function readLines(sources: readonly Source[]): Promise<Lines> {
  const owners = new Map<string, Source>();
  const entries: Entry[] = [];
  const counts = new Map<string, number>();
  for (const source of sources) {
    for await (const { episode_key: key, repeat, task } of source.run.episodes()) {
      const name = lineName(key, repeat);
      const before = owners.get(name);
      if (before) throw twice(name, before, source);
      owners.set(name, source);
      entries.push({ key, repeat, source });
      counts.set(task, (counts.get(task) ?? 0) + 1);
    }
  }
  entries.sort((a, b) => byText(a.key, b.key) || a.repeat - b.repeat);
  return {
    counts,
    async *inOrder() {
      for (let start = 0; start < entries.length; start += PORTION) {
        yield* portion(entries.slice(start, start + PORTION));
      }
    },
  };
}

async function* portion(entries: readonly Entry[]): AsyncGenerator<SourceLine> {
  const wanted = new Set(entries.map(({ key, repeat }) => lineName(key, repeat)));
  const lines = new Map<string, EpisodeLine>();
  for (const source of new Set(entries.map((entry) => entry.source))) {
    for await (const line of source.run.episodes()) {
      const name = lineName(line.episode_key, line.repeat);
      if (wanted.has(name)) lines.set(name, line);
    }
  }
  for (const { key, repeat, source } of entries) {
    const line = lines.get(lineName(key, repeat));
    if (line) yield { line, source };
    else {
      throw new DataError(
        "run_changed",
        `${lineName(key, repeat)} disappeared while the run was being read`,
        {
          where: source.run.file("episodes"),
          hint: "the run was probably resumed meanwhile: merge it when it is done",
        },
      );
    }
  }
}

function twice(name: string, a: Source, b: Source): DataError {
  if (a === b) {
    return new DataError("damaged_line", `${name} has two lines`, {
      where: a.run.file("episodes"),
    });
  }
  return new DataError("same_episode", `both runs have a result of ${name}`, {
    where: `${a.run.path}, ${b.run.path}`,
    hint: "merged runs must not share episodes; use `robot-eval compare` to compare two runs",
  });
}
