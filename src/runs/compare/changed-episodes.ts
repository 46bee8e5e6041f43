import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { ChangedEnd, EpisodeSide, FlippedEpisode, UnjudgedEpisode } from "./documents.js";
import { judged, type Pair, type PairedRuns } from "./pair.js";
import type { ComparedRun, EpisodeTrials, Trial } from "./read-run.js";

/** Number of unjudged episodes listed. */
const LISTED = 100;

type To = FlippedEpisode["to"];

export interface Flips {
  readonly to_success: readonly Pair[];
  readonly to_failure: readonly Pair[];
}

/** Episodes whose outcome differs between the runs. */
export function flipsOf({ pairs }: PairedRuns): Flips {
  const flipped = (to: To) => pairs.filter(({ a, b }) => mostly(a) !== to && mostly(b) === to);
  return { to_success: flipped("success"), to_failure: flipped("failure") };
}

/** The outcome of more than half of the valid repeats. */
export function mostly(episode: EpisodeTrials): To {
  return 2 * succeeded(episode) > judged(episode).length ? "success" : "failure";
}

function succeeded({ trials }: EpisodeTrials): number {
  return trials.filter(({ outcome }) => outcome === "success").length;
}

/** Counts changed end reasons over repeats that are valid in both runs. */
export function changedEnds({ pairs }: PairedRuns): ChangedEnd[] {
  const counts = new Map<string, ChangedEnd>();
  for (const { a, b } of pairs) {
    for (const trial of judged(a)) {
      const other = judged(b).find(({ repeat }) => repeat === trial.repeat);
      if (!other || other.endReason === trial.endReason) continue;
      const key = JSON.stringify([a.task, trial.endReason, other.endReason]);
      const count = (counts.get(key)?.count ?? 0) + 1;
      counts.set(key, { task: a.task, a: trial.endReason, b: other.endReason, count });
    }
  }
  return [...counts]
    .sort(([x, one], [y, two]) => two.count - one.count || (x < y ? -1 : 1))
    .map(([, changed]) => changed);
}

/** The flipped and unjudged episodes with the explanations recorded in each run. */
export async function explain(
  { a, b, unjudged }: PairedRuns,
  flips: Flips,
  most: number,
): Promise<{ flipped: FlippedEpisode[]; unjudged: UnjudgedEpisode[] }> {
  const shown = (["success", "failure"] as const).flatMap((to) =>
    flips[`to_${to}`].slice(0, most).map((pair) => ({ to, pair })),
  );
  const listed = unjudged.slice(0, LISTED);
  const read = async (run: ComparedRun, side: "a" | "b") => {
    const repeats = new Map(shown.map(({ pair }) => [pair.key, typical(pair[side]).repeat]));
    for (const key of listed) repeats.set(key, run.episodes.get(key)?.trials[0]?.repeat ?? 0);
    return readExplanations(run, repeats);
  };
  const [ofA, ofB] = [await read(a, "a"), await read(b, "b")];
  const repeated = a.repeats > 1 || b.repeats > 1;
  return {
    flipped: shown.map(({ to, pair: { key, ...pair } }) => ({
      episode_key: key,
      to,
      a: sideOf(pair.a, ofA.get(key), repeated),
      b: sideOf(pair.b, ofB.get(key), repeated),
    })),
    unjudged: listed.map((key) => ({
      episode_key: key,
      ...unjudgedSide("a", a, key, ofA.get(key)),
      ...unjudgedSide("b", b, key, ofB.get(key)),
    })),
  };
}

type Explanation = Pick<EpisodeLine, "explanation" | "fault">;

/**
 * Reads the explanations of selected episodes, given by key and repeat. The selection is known only after pairing,
 * so this reads the file again: keeping the explanations of all episodes would take more memory than all numbers
 * together.
 */
async function readExplanations(
  { directory }: ComparedRun,
  repeats: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, Explanation>> {
  const found = new Map<string, Explanation>();
  if (repeats.size === 0) return found;
  for await (const line of directory.episodes()) {
    if (repeats.get(line.episode_key) === (line.repeat ?? 0)) found.set(line.episode_key, line);
  }
  return found;
}

/** The first repeat with the majority outcome. */
export function typical(episode: EpisodeTrials): Trial {
  const outcome = mostly(episode);
  const found = judged(episode).find((trial) => trial.outcome === outcome);
  if (!found) throw new RangeError("the episode has no valid repeat");
  return found;
}

function sideOf(
  episode: EpisodeTrials,
  recorded: Explanation | undefined,
  repeated: boolean,
): EpisodeSide {
  return {
    end_reason: typical(episode).endReason,
    explanation: recorded?.explanation ?? "",
    ...(repeated ? { succeeded: succeeded(episode), judged: judged(episode).length } : {}),
  };
}

function unjudgedSide(
  side: "a" | "b",
  run: ComparedRun,
  key: string,
  recorded: Explanation | undefined,
): Partial<UnjudgedEpisode> {
  const episode = run.episodes.get(key);
  if (!episode || judged(episode).length > 0) return {};
  const { fault = "platform", explanation = "" } = recorded ?? {};
  return { [side]: { fault, explanation } };
}
