import type { EpisodeLine } from "../../core/interfaces/result.js";
import { mostly, typical } from "../compare/changed-episodes.js";
import type { Pair } from "../compare/pair.js";
import type { ComparedRun } from "../compare/read-run.js";
import type { StressSide, TellingEpisode } from "./documents.js";

const SHOWN = 3;

/** The pairs of one level, with the perturbed run. */
export interface LevelPairs {
  readonly level: number;
  readonly name: string;
  readonly run: ComparedRun;
  readonly pairs: readonly Pair[];
}

type Flip = Pick<TellingEpisode, "to" | "level" | "stays"> & {
  readonly pair: Pair;
  readonly at: LevelPairs;
};

/**
 * The episodes that say most about an axis: those that fail at the weakest perturbation and at all stronger ones.
 * Where none fails, those that succeed only when perturbed.
 */
export async function tellingEpisodes(
  baseline: { readonly name: string; readonly run: ComparedRun },
  levels: readonly LevelPairs[],
): Promise<TellingEpisode[]> {
  const flips = flipsOf(levels);
  flips.sort(
    (x, y) =>
      Number(x.to === "success") - Number(y.to === "success") ||
      x.level - y.level ||
      Number(y.stays) - Number(x.stays),
  );
  const failures = flips.filter(({ to }) => to === "failure");
  const shown = (failures.length > 0 ? failures : flips).slice(0, SHOWN);
  const read = (run: ComparedRun, side: "a" | "b", of: readonly Flip[]) =>
    readLines(run, new Map(of.map(({ pair }) => [pair.key, typical(pair[side]).repeat])));
  const before = await read(baseline.run, "a", shown);
  return Promise.all(
    shown.map(async (flip) => {
      const after = await read(flip.at.run, "b", [flip]);
      const { key } = flip.pair;
      return {
        episode_key: key,
        ...{ to: flip.to, level: flip.level, stays: flip.stays },
        baseline: sideOf(baseline.name, before.get(key)),
        perturbed: sideOf(flip.at.name, after.get(key)),
      };
    }),
  );
}

/** The first change of each episode's outcome, in the order of the episodes. */
function flipsOf(levels: readonly LevelPairs[]): Flip[] {
  const byKey = new Map<string, { readonly at: LevelPairs; readonly pair: Pair }[]>();
  for (const at of levels) {
    for (const pair of at.pairs)
      byKey.set(pair.key, [...(byKey.get(pair.key) ?? []), { at, pair }]);
  }
  return [...byKey.values()].flatMap((seen): Flip[] => {
    const isFlipped = ({ pair }: { readonly pair: Pair }) => mostly(pair.a) !== mostly(pair.b);
    const first = seen.findIndex(isFlipped);
    const found = seen[first];
    if (!found) return [];
    const { at, pair } = found;
    return [
      { to: mostly(pair.b), level: at.level, stays: seen.slice(first).every(isFlipped), pair, at },
    ];
  });
}

async function readLines(
  { directory }: ComparedRun,
  repeats: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, EpisodeLine>> {
  const found = new Map<string, EpisodeLine>();
  if (repeats.size === 0) return found;
  for await (const line of directory.episodes()) {
    if (repeats.get(line.episode_key) === line.repeat) found.set(line.episode_key, line);
  }
  return found;
}

function sideOf(run: string, line: EpisodeLine | undefined): StressSide {
  const { repeat = 0, end_reason = "", steps = 0, explanation = "" } = line ?? {};
  return { run, repeat, end_reason, steps, explanation };
}
