import type { ChangedEnd, EpisodeSide, FlippedEpisode, UnjudgedEpisode } from "./documents.js";
import { judged, type Pair, type PairedRuns } from "./pair.js";
import type { ComparedRun, EpisodeTrials, Trial } from "./read-run.js";
import { Stories, type Story } from "./stories.js";

/** Unjudged episodes are listed up to here. */
const LISTED = 100;

type To = FlippedEpisode["to"];

export interface Flips {
  readonly to_success: readonly Pair[];
  readonly to_failure: readonly Pair[];
}

/** The episodes that came out otherwise. */
export function flipsOf({ pairs }: PairedRuns): Flips {
  const flipped = (to: To) => pairs.filter(({ a, b }) => mostly(a) !== to && mostly(b) === to);
  return { to_success: flipped("success"), to_failure: flipped("failure") };
}

/** What more than half of the judged repeats were. */
function mostly(episode: EpisodeTrials): To {
  return 2 * succeeded(episode) > judged(episode).length ? "success" : "failure";
}

function succeeded({ trials }: EpisodeTrials): number {
  return trials.filter(({ outcome }) => outcome === "success").length;
}

/** Repeat by repeat where both were judged. */
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

/** The flipped and the unjudged episodes in the runs' own words. */
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
    const stories = new Stories();
    for (const { pair } of shown) stories.want(pair.key, typical(pair[side]).repeat);
    for (const key of listed) stories.want(key, run.episodes.get(key)?.trials[0]?.repeat ?? 0);
    await stories.read(run.directory);
    return stories;
  };
  const [ofA, ofB] = [await read(a, "a"), await read(b, "b")];
  const repeated = a.repeats > 1 || b.repeats > 1;
  return {
    flipped: shown.map(({ to, pair: { key, ...pair } }) => ({
      episode_key: key,
      to,
      a: sideOf(pair.a, ofA.of(key), repeated),
      b: sideOf(pair.b, ofB.of(key), repeated),
    })),
    unjudged: listed.map((key) => ({
      episode_key: key,
      ...unjudgedSide("a", a, key, ofA.of(key)),
      ...unjudgedSide("b", b, key, ofB.of(key)),
    })),
  };
}

/** The first repeat that came out as most of them did. */
function typical(episode: EpisodeTrials): Trial {
  const outcome = mostly(episode);
  const found = judged(episode).find((trial) => trial.outcome === outcome);
  if (!found) throw new RangeError("an episode without a judged repeat is no pair");
  return found;
}

function sideOf(episode: EpisodeTrials, story: Story | undefined, repeated: boolean): EpisodeSide {
  return {
    end_reason: typical(episode).endReason,
    explanation: story?.explanation ?? "",
    ...(repeated ? { succeeded: succeeded(episode), judged: judged(episode).length } : {}),
  };
}

function unjudgedSide(
  side: "a" | "b",
  run: ComparedRun,
  key: string,
  story: Story | undefined,
): Partial<UnjudgedEpisode> {
  const episode = run.episodes.get(key);
  if (!episode || judged(episode).length > 0) return {};
  const { fault = "platform", explanation = "" } = story ?? {};
  return { [side]: { fault, explanation } };
}
